# Names that are not UTF-8 are names like others: bytes go in, and the same bytes come out.
hex() { od -An -tx1 | tr -d ' \n'; echo; }
n=$(printf 'caf\351.txt'); d=$(printf 'd\377\376'); m=$(printf '\357\237\251')
echo one > "$n"; echo "rc=$?"; mkdir "$d"; echo two > "$d/$m"; echo three >> "$n"
ls | hex; ls "$d" | hex; cat "$n" caf* "$d"/*; [ -f "$n" ] && [ -d "$d" ] && echo there
for f in *; do printf '%s' "$f" | hex; done
(cd "$d" && printf %s "${PWD##*/}" | hex && basename "$(pwd)" | hex && echo here > x && ls ../"$d" | hex)
cp "$n" "$d/$n"; mv "$n" "$(printf 'b\200')"; ln -s "$(printf 'b\200')" "$(printf 'l\351')"; ln "$(printf 'b\200')" hard
readlink "$(printf 'l\351')" | hex; cat "$(printf 'l\351')"; find . | LC_ALL=C sort | hex; stat -c '%h %s' hard
chmod 600 "$d/$n"; touch -d @86400 "$d/$n"; stat -c '%a %Y' "$d/$n"; test "$d/$n" -nt "$d/$m" || echo older
cat "$(printf 'no\351')" 2>&1; ls "$(printf 'no\351')" 2>&1; rm "$(printf 'no\351')" 2>&1; . "./$(printf 'no\351')" 2>&1 | wc -l
printf '#!/bin/sh\nprintf %%s "$0" | od -An -tx1 | tr -d " \\n"; echo; printf %%s "$1" | od -An -tx1\n' > "$(printf 'run\351')"; chmod +x "$(printf 'run\351')"
"./$(printf 'run\351')" "$(printf 'arg\377')"; sh "$(printf 'run\351')" x
x=$(printf 'v\351') sh -c 'printf %s "$x" | od -An -tx1'; env "$(printf 'y=\351')" sh -c 'printf %s "$y" | od -An -tx1'
echo "$(printf 'b\200')" | xargs cat; find . -name "$(printf '*\351.txt')" -exec cat {} \;; tee "$(printf 't\351')" < hard | wc -l; wc -l < "$(printf 't\351')"
rm -r "$d" "$(printf 'l\351')" "$(printf 'b\200')" hard "$(printf 'run\351')" "$(printf 't\351')"; ls | wc -l
# As long as a name can be, and one byte more.
long=$(printf '\377%.0s' $(seq 255)); echo > "$long"; echo "rc=$?"; ls | tr -d '\n' | wc -c; : > "$long$(printf '\377')"; echo "rc=$?"
