# One-liners of sed that agents type. Each line runs on the same files; sed.out has its output, its status and the first line of its errors.
. /mnt/cases/lines
while IFS= read -r line; do try "$line"; done <<'END'
sed -i.bak 's/line/LINE/' o.txt; diff o.txt o.txt.bak | head -4
sed -i 's|host|HOST|' conf.ini nosuch; cat conf.ini
sed --in-place=.orig '/^#/d' conf.ini; ls conf*
sed -e '/^\s*$/d;s/^[ \t]*//' words.txt
sed '1~3d' o.txt | head -5
sed -n '2,4p;$p' o.txt
sed '5q' o.txt
sed '3a after\nnext' o.txt | head -6
sed '3c\changed' o.txt | head -4
sed '2,4c changed' o.txt | head -4
sed ':a;N;$!ba;s/\n/,/g' nonl
sed -z 's/\n/,/g' nonl
sed 's/\b\(.\)/\u\1/g' words.txt
sed 's/.*/\L\u&/' words.txt
sed -E 's/(\w+) (\w+)/\U\1\E \2/' words.txt
sed 's/o/0/2g' words.txt
sed 's/o/0/2' words.txt
sed 'y/abc/xyz/' words.txt
sed 'y/a\nb/1\t2/' words.txt
sed -l 10 -n l words.txt
sed 's/\xe9/E/' latin1.txt
sed 's/é/e/' latin1.txt
sed 'r nonl' d1/b.txt
sed '/one/r nosuch' d1/b.txt
sed '/one/R nonl' d1/b.txt
sed 'w out.txt' nonl; cat out.txt
sed 's/two/2/w w.out' nonl; cat w.out
sed 's/one/echo hi/e' nonl
sed 'n;d' o.txt | head -3
sed -n 'h;n;G;p' nonl
sed 'x;p;x' nonl
sed '/two/{s//2/;q5}' nonl
sed 'Q3' nonl
sed -n 'F' nonl
sed 's/a\|b/X/g;s/x*/-/g' words.txt
sed -E 's/a*/x/g' <<< 'baaac'
sed 's,/,\,,g' words.txt
sed 's/\//|/g' words.txt
sed '/the/I!d' words.txt
sed 's/$/\r/' nonl | od -c
sed 's/\r$//' crlf.txt | od -c
sed -k 1
sed ''
sed 's/a/b' words.txt
sed 's/(/x/' words.txt
sed -E 's/(/x/' words.txt
sed 's/\(/x/' words.txt
sed 's/a/\1/' words.txt
sed '3' words.txt
sed '}' words.txt
sed '/a' words.txt
sed 's/a\{2/x/' words.txt
sed '1,p;p' words.txt
sed 'p;p;g p' words.txt
sed '1!!p' words.txt
sed ': ' words.txt
sed 'dp' words.txt
sed -e 'a\' -e 'foo' nonl
sed '1d;1!{$!d}' o.txt
sed -n '/^$/!p' words.txt
sed '/a/,/b/{//!d}' words.txt
sed 'N;P;D' o.txt | tail -2
sed -n '$p' nonl empty
sed p empty
sed p nosuch nonl
sed p d1
sed -i p d1
sed -n '10,2p' o.txt
sed '/1/,3d' o.txt | head -2
sed '2,/line/d' o.txt | head -3
sed 's/\n//' nonl
sed 's/a/\
sed 's/e/[&]/3' words.txt
sed --expression='s/a/b/' --quiet words.txt
sed --posix 's/a\+/x/' words.txt
sed -E 's/(a|b)\1/x/' <<< 'aabb'
sed 'c\' nonl
sed '$a\' nonl | od -c | tail -2
sed '$a end' nonl
sed 's/a/b/;#comment' words.txt | head -1
p' nonl
sed --sandbox 'w x' nonl
sed -n '/a/{/b/p}' words.txt
sed 'v 4.2' nonl
sed 'v 9.0' nonl
sed -E 's/(^|[^a])t/\1T/g' words.txt
sed "s/'/\"/g; s/\`/x/" words.txt
sed 's/^/  /;s/\s*$//' words.txt
sed -E ':a;s/^([0-9]+)([0-9]{3})/\1,\2/;ta' <<< 1234567890
sed -n '/start/,$p;T;s/x/y/' words.txt
END
