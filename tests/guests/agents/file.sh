# file. Each line runs on the same files; file.out has its output, its status and the first line of its errors.
. /mnt/cases/lines
while IFS= read -r line; do try "$line"; done <<'END'
file -b --mime-type proj/src/main.py proj/README.md data.csv conf.ini
file -i latin1.txt words.txt
printf 'all:\n\techo x\n' > Makefile; file Makefile
printf '%s\n' '-----BEGIN RSA PRIVATE KEY-----' MIIB > k; file -b k
printf 'ssh-rsa AAAA x@y\n' > k; file -b k
printf '#!/usr/bin/env node\nx\n' > k; file -b k
printf '%%!PS-Adobe-3.0\n' > k; file -b --mime k
printf 'import java.util.*;\npublic class A { }\n' > A.java; file -b A.java
printf 'RIFF\44\0\0\0WAVEfmt \20\0\0\0\1\0\1\0\100\37\0\0\200\76\0\0\2\0\20\0data' > w; file -b w
printf '\223NUMPY\1\0v\0%100s' x > n; file -b n
file nosuch
END
