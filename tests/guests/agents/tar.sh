# tar and the compressors. Each line runs on the same files; tar.out has its output, its status and the first line of its errors.
. /mnt/cases/lines
while IFS= read -r line; do try "$line"; done <<'END'
{ tar cf a.tar d1 && tar tf a.tar; } | sort
{ tar czf a.tgz d1 && tar tzf a.tgz && tar xzf a.tgz -C d2 && ls -R d2; } | sort
{ tar cjf a.tbz d1 && tar tf a.tbz; } | sort
{ tar cJf a.txz d1 && tar tf a.txz; } | sort
{ tar cf a.tar d1; mkdir x; tar xf a.tar -C x --strip-components=1; ls -R x; } | sort
{ tar cf a.tar --exclude='*.txt' d1; tar tf a.tar; } | sort
{ tar cf a.tar --exclude=sub --exclude-vcs proj d1; tar tf a.tar; } | sort
{ tar cf a.tar -C d1 a.txt -C ../d2 b.txt; tar tf a.tar; } | sort
{ tar cf a.tar --transform 's,^d1,top,' d1; tar tf a.tar; } | sort
{ tar cf a.tar --transform='s/txt/TXT/g;s,^,p/,' d1; tar tf a.tar; } | sort
{ tar cf a.tar d1; tar xf a.tar --xform 's,^d1/,z/,' ; ls -R z; } | sort
{ tar cf a.tar d1 o.txt; tar xOf a.tar d1/b.txt; } | sort
{ tar cf a.tar d1; tar xf a.tar -C d2 d1/sub; ls -R d2; } | sort
{ tar cf a.tar d1; tar xf a.tar --wildcards '*.py' -C d2; ls -R d2; } | sort
{ tar cf a.tar d1; tar tf a.tar nosuch; } | sort
tar cf a.tar nosuch
{ tar cf a.tar d1 nosuch; tar tf a.tar; } | sort
tar tf nosuch.tar
tar xf words.txt
tar tf empty
tar
tar c
tar x
tar --nope
tar -k
tar cf a.tar
tar cxf a.tar d1
tar rf a.tar o.txt; tar tf a.tar
{ tar cf a.tar d1; tar uf a.tar d1 n.txt; tar tf a.tar; } | sort
{ tar cf a.tar d1; tar --delete -f a.tar d1/b.txt; tar tf a.tar; } | sort
{ tar cf a.tar d1; tar cf b.tar d2; tar -Af a.tar b.tar; tar tf a.tar; } | sort
{ tar cf a.tar d1; tar df a.tar && echo same; } | sort
{ tar cf a.tar d1; rm d1/b.txt; tar --compare -f a.tar; } | sort
{ find d1 -type f -print0 | sort -z | tar cf a.tar --null -T -; tar tf a.tar; } | sort
{ echo '*.txt' > ex; tar cf a.tar -X ex d1; tar tf a.tar; } | sort
tar cf a.tar --remove-files d1/b.txt; ls d1
{ tar cf a.tar d1; echo new > d1/b.txt; tar xf a.tar --skip-old-files; cat d1/b.txt; } | sort
{ tar cf a.tar d1; echo new > d1/b.txt; tar xf a.tar --overwrite; cat d1/b.txt; } | sort
tar caf a.tar.gz d1; file -b a.tar.gz | cut -c1-4
{ tar caf a.tar.xz d1; xz -t a.tar.xz; } | sort
{ tar caf a.zip d1; tar tf a.zip; } | sort
{ tar czf - d1 | tar xzf - -C d2; ls d2; } | sort
{ tar cf - d1 | tar xvf - -C d2; } | sort
tar -cvzf a.tgz -C proj --exclude='.git' . | sort
{ tar --exclude='./build' -cf a.tar -C proj .; tar tf a.tar; } | sort
{ tar cf a.tar --exclude-from=empty d1; tar tf a.tar; } | sort
{ tar cf a.tar --one-top-level d1; tar xf a.tar --one-top-level=q; ls q; } | sort
{ tar cf a.tar d1; tar xf a.tar --one-top-level; ls a; } | sort
{ tar cfv a.tar d1; } | sort
{ tar -c -f a.tar -v -v d1 | cut -c1-10; } | sort
tar xzf o.txt
{ tar cf a.tar d1; chmod 600 a.tar; tar xpf a.tar -m; ls d1; } | sort
{ tar cf a.tar d1; tar xf a.tar --no-same-owner -p -C d2; } | sort
{ tar -I gzip -cf a.tgz d1; tar -I gzip -tf a.tgz; } | sort
{ tar --use-compress-program='gzip -9' -cf a.tgz d1; tar tf a.tgz; } | sort
{ tar cf a.tar d1; tar tf a.tar --exclude='*b*'; } | sort
{ tar cf a.tar d1; tar xvf a.tar --exclude='sub' -C d2; } | sort
{ tar --list --file=a.tar --verbose; } | sort
{ tar cf a.tar d1; tar tf a.tar --occurrence=1 d1/b.txt; } | sort
tar cf a.tar --sparse o.txt; tar tf a.tar
{ tar cf a.tar --format=v7 d1; tar tf a.tar; } | sort
{ tar cf a.tar d1; tar xf a.tar -C nosuchdir; } | sort
{ tar cf a.tar --verbatim-files-from -T <(echo d1/a.txt); tar tf a.tar; } | sort
{ tar cf a.tar --add-file=o.txt d1; tar tf a.tar; } | sort
{ tar cf a.tar d1; tar tf a.tar | tar cf b.tar -T -; tar tf b.tar; } | sort
{ tar cf /dev/null d1; tar cf - d1 | wc -c; } | sort
tar cWf a.tar d1
tar cf a.tar --warning=no-file-changed --ignore-failed-read d1
gzip -k o.txt; ls o.txt*
gzip -c o.txt | gunzip
gzip -k o.txt; gzip -t o.txt.gz; echo $?
gzip -k o.txt; gzip o.txt < /dev/null
gzip -kf o.txt; gzip -kf o.txt
gzip -9 -v d1/a.txt
gzip d1
gzip nosuch
gzip -d o.txt
gzip -dc o.txt
gzip -dcf o.txt
zcat o.txt
zcat nosuch
gzip -k o.txt; zcat o.txt | tail -1
gzip -S .z -k o.txt; ls o.txt*
gzip -c nonl o.txt > x.gz; zcat x.gz | head -3
gzip --nope
gzip < o.txt | gzip -l
gzip o.txt; gzip o.txt
gzip -c o.txt > o.gz; printf 'x' | dd of=o.gz bs=1 seek=40 conv=notrunc 2>/dev/null; gunzip -t o.gz
gzip -c o.txt > o.gz; echo junk >> o.gz; gunzip -c o.gz | tail -1
gunzip -k o.txt
gzip -q o.txt; gzip -dq o.txt.gz
gzip -N o.txt; mv o.txt.gz z.gz; gunzip -N z.gz; ls
bzip2 o.txt; bzip2 -d o.txt.bz2; ls o.txt*
bzip2 nosuch
bzcat o.txt
bzip2 -k o.txt; bzip2 o.txt
bzip2 --nope
bzip2 d1
xz nosuch
xz -d o.txt
xz -dc < empty
xz -k o.txt; xz o.txt
xz --nope
xz d1
zstd -q --rm o.txt; ls o.txt*
zstd -19 -q o.txt; zstd -t o.txt.zst
zstd -q o.txt; unzstd -f o.txt.zst
zstd --nope
zstd d1
END
