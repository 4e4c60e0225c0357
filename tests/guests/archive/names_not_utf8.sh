# Members have bytes for names: they are listed, extracted, changed and packed again under them.
hex() { od -An -tx1 | tr -d ' \n'; echo; }
n=$(printf 'caf\351'); d=$(printf 'd\376'); mkdir -p src/"$d"; echo one > src/"$n"; echo two > src/"$d/$n"; ln -s "$n" src/"$(printf 'l\351')"
for how in '' --format=ustar --format=pax --format=gnu; do
  tar cf t.tar $how -C src . && rm -rf out && mkdir out && tar xf t.tar -C out; echo "rc=$?"
  (cd out && find . | LC_ALL=C sort | hex); cat out/"$n" out/"$d"/* out/"$(printf 'l\351')"
done
tar tf t.tar | LC_ALL=C sort; tar xOf t.tar ./"$n"; tar tf t.tar --wildcards "*$n" | wc -l; tar --delete -f t.tar ./"$n"; tar tf t.tar | wc -l
tar cf - src/"$n" | tar tf - ; tar cf t.tar src --transform "s/caf/x/"; tar tf t.tar | LC_ALL=C sort | tail -2
tar xf nosuch.tar "$n" 2>&1 | head -1; tar cf t.tar "$(printf 'no\351')" 2>&1 | head -1
(cd src && zip -q ../t.zip "$n" "$d/$n"); unzip -Z1 t.zip | hex; rm -rf out; unzip -q t.zip -d out; echo "rc=$?"; (cd out && find . -type f | LC_ALL=C sort | hex); unzip -p t.zip "$n"; zip -q -d t.zip "$n"; unzip -Z1 t.zip | hex
gzip src/"$n"; ls src | LC_ALL=C sort | hex; gunzip src/"$n".gz; cat src/"$n"; for c in bzip2 xz zstd; do $c -q --rm src/"$n" 2>/dev/null || $c -q src/"$n"; $c -d -q --rm src/"$n".* 2>/dev/null || $c -d -q src/"$n".*; cat src/"$n"; done; ls src | LC_ALL=C sort | hex
