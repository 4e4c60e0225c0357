cd "$(mktemp -d)" || exit 1
printf 'a b c\nfoo\n' > c1; printf '\0\001\377' > x1; mkdir td; ln -s c1 link
printf 'package main\n' > g.go; file g.go
printf '[a]\nb=1\n' > i.ini; file i.ini
printf 'const x = 1; \nfunction f() { return x; }\n' > j.js; file j.js
printf 'From: a@b\nTo: c@d\n' > mail; file mail
printf '\\documentclass{a}\n' > l.tex; file l.tex
