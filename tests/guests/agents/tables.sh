# file, tree, column and cal, compared with the real programs. Each line runs on the same files; tables.out has its output, its status and the first line of its errors.
. /mnt/cases/lines
cat > data.json <<'J'
{"users":[{"id":1,"name":"Ann","age":30,"ok":true,"tags":["a","b"]},{"id":2,"name":"Bob","age":9,"ok":false,"tags":["b","c"]},{"id":3,"name":"Céd","age":null,"ok":true,"tags":[]}],"meta":{"total":3,"pages":1.50,"next":null}}
J
while IFS= read -r line; do try "$line"; done <<'END'
file a.b.c nosuch
file words.txt data.json data.csv conf.ini bin.dat empty crlf.txt latin1.txt
file -b words.txt
file -i words.txt data.json empty bin.dat
file --mime-type words.txt data.json empty bin.dat d1
file --mime-encoding latin1.txt words.txt
file -b --mime-type proj/src/main.py
file proj/src/* proj/README.md
file d1 d1/link
file -L d1/link
file -h d1/link
file - < words.txt
printf '#!/bin/sh\necho\n' > s; file s; chmod +x s; file s
printf '#!/usr/bin/env python3\nprint(1)\n' > s; file s; file -i s
gzip -k words.txt; file words.txt.gz | sed 's/last modified.*//'
tar cf a.tar d1; file a.tar; bzip2 -k a.tar; file a.tar.bz2; xz -k a.tar; file a.tar.xz; zstd -q a.tar; file a.tar.zst
zip -q a.zip words.txt; file a.zip
sqlite3 a.db 'create table t(a)'; file a.db | cut -c 1-30
printf '\211PNG\r\n\032\n\0\0\0\rIHDR\0\0\0\020\0\0\0\040\010\006\0\0\0' > a.png; file a.png; file -i a.png
printf 'GIF89a\020\0\020\0\360' > a.gif; file a.gif
printf '\377\330\377\340\0\020JFIF\0\001\001\001\0H\0H\0\0' > a.jpg; file a.jpg
printf '%%PDF-1.4\n' > a.pdf; file a.pdf
printf '<!DOCTYPE html>\n<html></html>\n' > a.html; file a.html
printf '\0asm\001\0\0\0' > m.wasm; file m.wasm
printf 'RIFF\044\0\0\0WAVEfmt ' > a.wav; file a.wav
printf '\xef\xbb\xbfhello\n' > bom; file bom
printf '\xff\xfeh\0i\0' > u16; file u16
printf 'int main(void) { return 0; }\n#include <stdio.h>\n' > a.c; file a.c
printf '#include <stdio.h>\nint main(void) { return 0; }\n' > a.c; file a.c
printf 'From: a@b\nTo: c@d\nSubject: x\n\nhi\n' > mail; file mail
printf -- '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n' > c.pem; file c.pem
printf -- '-----BEGIN RSA PRIVATE KEY-----\nMIIB\n' > k.pem; file k.pem
printf 'a: 1\nb:\n  - x\n' > a.yaml; file a.yaml
printf '{"a":1}\n{"b":2}\n' > a.ndjson; file a.ndjson
printf '{"a":1' > bad.json; file bad.json
printf 'diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n' > p.diff; file p.diff
printf 'no newline' > x; file x
printf 'long %01000d\n' 0 > x; file x
printf 'a\033[31mred\033[0m\n' > x; file x
printf '\b\b\n' > x; file x
file -f <(printf 'words.txt\nempty\n')
file -F ' ->' words.txt
file -N words.txt empty
file -0 words.txt | od -c | head -2
file -z nosuch
file -k words.txt
file -s /dev/null
tree
tree -L 1
tree -d
tree -I 'build|*.log' proj
tree -P '*.py' --prune proj
tree --dirsfirst -a -I .git proj
tree -fi d1
tree -h d1/b.txt
tree -p d1
tree -L 0
tree -L x
tree words.txt
tree --charset ascii d1
tree -q d1
tree --matchdirs -P 'd*'
tree --sort=size d1
tree -U d1 | wc -l
tree -a --gitignore proj
tree -o out.txt d1; cat out.txt
tree -L 2 -d --noreport .
touch -d 2024-05-06 d1/sub/* d1/sub; tree -D --timefmt %Y d1/sub
tree empty
tree --info d1
mkdir e1; tree e1
tree -d -J d2
tree d1 -L 1 -I '*.txt'
tree . -I 'd*' --ignore-case
tree -P '*.PY' --ignore-case --prune proj
column -t words.txt
column -ts, -o ' | ' data.csv
column -t -s $'\t' data.tsv
column -t -s, -N a,b,c,d data.csv
column -t -s, -N a,b,c,d -J data.csv
column -t -s, -N a,b,c,d -n things -J data.csv
column -J data.csv
column -t -s, -R 3,4 data.csv
column -t -s, -H 2 data.csv
column -t -s, -O 2,1 data.csv
column -t -s, -N a,b,c,d -H b data.csv
column -t -s, -E 1 data.csv
column -t -d -N a,b,c,d -s, data.csv
column -t -e words.txt
column -c 60 words.txt
column -c 40 -x words.txt
seq 30 | column
seq 30 | column -c 80
seq 30 | column -x -c 40
printf 'a b\n\nccc d\n' | column -t
printf 'a b\n\nccc d\n' | column -t -L
printf 'a::b\nccc::d\n' | column -t -s ::
printf 'a:b c\nccc:d\n' | column -t -s ': '
printf 'a,,b\nccc,d,e\n' | column -t -s,
printf 'a,,b\nccc,d,e\n' | column -t -s, -o,
column -t nosuch
column -t -R 9 words.txt
column -t -N a words.txt | head -3
column -t -l 2 -N a,b -T b words.txt
printf 'é x\nab y\n' | column -t
printf 'a\033[1mx\033[0m b\ncc d\n' | column -t
column -t < /dev/null
column --table --separator , --output-separator '|' data.csv
column -t -s '|' <<< 'a|b|c'
column -t -W 2 -N a,b -s, data.csv
cal 2024 | head -12
cal -y 2024 | tail -3
cal 0
cal feb 2024
cal February 2024
mkdir e1; tree e1; tree -J e1
printf 'a/b/c\na/d\ne/\n' | tree --fromfile
printf 'a/b/c\na/d\ne/\n/abs/p\n./q/r\n' | tree --fromfile .
printf 'a/b/c\na/d\ne/\n' > l; tree --fromfile -J l; tree --fromfile -L 1 l; tree --fromfile -P c --prune l
tree --sort=nope d1
printf 'a b\nc d e\n' | column -J -N x,y
END
