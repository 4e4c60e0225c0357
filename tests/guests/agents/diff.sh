# diff and cmp as agents call them. Each line runs on the same files; diff.out has its output, its status and the first line of its errors.
. /mnt/cases/lines
while IFS= read -r line; do try "$line"; done <<'END'
diff o.txt n.txt
diff -u o.txt n.txt | sed '1,2d'
diff -u --label a --label b o.txt n.txt
diff -c o.txt n.txt | sed '1,2d'
diff -y o.txt n.txt
diff -y --suppress-common-lines o.txt n.txt
diff -s d1/a.txt d2/a.txt
diff -r d1 d2
diff -rq d1 d2
diff -ru --label x --label y d1 d2
diff -rN d1 d2
diff -rqN d1 d2
diff -r --exclude=sub d1 d2
diff --color=always o.txt n.txt
diff --color=always -u o.txt n.txt | sed '1,2d'
diff --color=always -y o.txt n.txt
diff --color=always -c o.txt n.txt | sed 1,2d
diff --color o.txt n.txt
diff -n o.txt n.txt
diff -f o.txt n.txt
diff -U1 o.txt n.txt | sed 1,2d
diff -U0 o.txt n.txt | sed 1,2d
diff -w words.txt crlf.txt
diff -b words.txt crlf.txt
diff -E words.txt crlf.txt
diff --strip-trailing-cr crlf.txt words.txt
diff bin.dat latin1.txt
diff empty nonl
diff nonl empty
diff nonl words.txt
diff o.txt nosuch
diff nosuch1 nosuch2
diff d1 d2
diff d1 o.txt
diff d1/a.txt d2
diff - o.txt < n.txt
diff <(sort words.txt) <(sort -r words.txt)
diff -p -u proj/src/main.py proj/src/util.js | sed 1,2d
diff -F '^line 1' -u o.txt n.txt | sed 1,2d
diff -I 'line' o.txt n.txt
diff --line-format='%L' o.txt n.txt | head -3
diff --old-line-format='-%L' --new-line-format='+%L' --unchanged-line-format='' o.txt n.txt
diff --changed-group-format='%<' --unchanged-group-format='' o.txt n.txt
diff --unchanged-line-format= --old-line-format= --new-line-format='%5dn:%L' o.txt n.txt
diff -T o.txt n.txt
diff --brief
diff a
diff
diff a b c
diff --nope a b
diff -k a b
diff --minimal o.txt n.txt
diff -H o.txt n.txt
diff --width=40 -y o.txt n.txt
diff --tabsize=4 -t data.tsv words.txt
diff --horizon-lines=3 o.txt n.txt
diff -S b.txt -r d1 d2
diff -P -r d1 d2
cmp o.txt n.txt
cmp -s o.txt n.txt
cmp -l o.txt n.txt | head -3
cmp -b o.txt n.txt
cmp -n 5 o.txt n.txt
cmp -i 10 o.txt n.txt
cmp nonl empty
cmp o.txt
cmp nosuch o.txt
cmp o.txt - < n.txt
cmp --nope
cmp o.txt n.txt 5 6
END
