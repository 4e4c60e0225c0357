# diff, cmp and patch, compared with the real programs. Each line runs on the same files; changes.out has its output, its status and the first line of its errors.
. /mnt/cases/lines
while IFS= read -r line; do try "$line"; done <<'END'
diff -u o.txt n.txt | tail -n +3
diff -u0 o.txt n.txt | tail -n +3
diff -U1 o.txt n.txt | tail -n +3
diff -c o.txt n.txt | tail -n +3
diff -C 1 o.txt n.txt | tail -n +3
diff -q o.txt n.txt
diff --brief o.txt o.txt
diff -s o.txt o.txt
diff -y -W 40 o.txt n.txt
diff -y --suppress-common-lines -W 40 o.txt n.txt
diff --side-by-side --left-column -W 40 o.txt n.txt | head -5
diff -w <(echo 'a  b') <(echo 'a b')
diff -b <(echo 'a  b ') <(echo 'a b')
diff -B <(printf 'a\n\nb\n') <(printf 'a\nb\n')
diff -i <(echo A) <(echo a)
diff -E <(printf 'a\tb\n') <(printf 'a       b\n')
diff -Z <(printf 'a \n') <(printf 'a\n')
diff --strip-trailing-cr crlf.txt <(tr -d '\r' < crlf.txt)
diff -u --label A --label B o.txt n.txt | head -3
diff -L A -L B -u o.txt n.txt | head -2
diff -rN d1 d2 | tail -n 20
diff -ruN d1 d2 | grep -v '^[-+][-+]'
diff -r -x '*.txt' d1 d2
diff -rs d1 d2
diff d1/b.txt d2
diff d1 d2/b.txt
diff nosuch o.txt
diff -N o.txt nosuch | head -2
diff nosuch nosuch2
diff o.txt
diff - o.txt < o.txt && echo same
cat n.txt | diff o.txt - | head -2
diff bin.dat nonl
diff -a bin.dat nonl
diff -q bin.dat nonl
diff -e o.txt n.txt
diff --normal o.txt n.txt | head -2
diff -I '^line [0-9]$' <(echo 'line 1') <(echo 'line 2')
diff -I '^x' <(printf 'x1\ny\n') <(printf 'x2\nz\n')
diff --color=always <(echo a) <(echo b)
diff --color=always -u <(echo a) <(echo b) | tail -n +3
diff --unified=1 o.txt n.txt | tail -n +3
diff -t -y -W 30 <(printf 'a\tb\n') <(printf 'a\tc\n')
diff -T <(echo a) <(echo b)
diff -p -u <(printf 'int f()\n{\n1\n2\n3\n4\n5\n}\n') <(printf 'int f()\n{\n1\n2\n3\n4\n6\n}\n') | tail -n +3
diff -F '^f' -u <(printf 'f1\n\n1\n2\n3\n4\n5\n') <(printf 'f1\n\n1\n2\n3\n4\n6\n') | tail -n +3
diff -d o.txt n.txt | head -3
diff --minimal -u o.txt n.txt | wc -l
diff --speed-large-files o.txt n.txt | wc -l
diff --changed-group-format='<%<|%>>' --unchanged-group-format='' o.txt n.txt
diff --old-group-format='%df-%dl
' --unchanged-group-format='' o.txt n.txt
diff -D X <(printf 'a\nb\n') <(printf 'a\nc\n')
diff <(printf 'a\nb') <(printf 'a\nb\n')
diff -u <(printf 'a\nb') <(printf 'a\nb\n') | tail -n +3
diff <(printf 'a') <(printf 'b')
diff -u empty o.txt | tail -n +3 | head -2
diff --from-file=o.txt n.txt o.txt | head -2
diff --to-file=o.txt n.txt | head -2
diff -r d1 nosuch
diff -u d1/a.txt d2/a.txt; echo $?
diff -c <(printf 'a\nb\nc\n') <(printf 'a\nc\n') | tail -n +3
diff -v | head -1 | cut -c1-4
diff --suppress-blank-empty -u <(printf 'a\n\nb\n') <(printf 'a\n\nc\n') | tail -n +3
diff -rq d1 d2 --exclude='only*'
diff -X <(echo 'only*') -rq d1 d2
diff --no-dereference -r d1 d2
diff -r --ignore-file-name-case d1 d2 | head -3
diff -U x o.txt n.txt
diff -W x -y o.txt n.txt
diff -u -c o.txt n.txt
diff -uw <(printf 'a b\nc\n') <(printf 'a  b\nd\n') | tail -n +3
diff -1 o.txt n.txt | tail -n +3
diff --horizon-lines=3 o.txt n.txt | wc -l
diff --GTYPE-group-format=x o.txt n.txt
diff -u "o.txt" 'n x' 
cp o.txt 'n x'; echo z >> 'n x'; diff -u o.txt 'n x' | tail -n +2 | sed 's/\t.*//'
cmp o.txt o.txt
cmp -lb o.txt n.txt | head -3
cmp -i 3 o.txt n.txt
cmp -i 3:4 o.txt n.txt
cmp --bytes=10 o.txt n.txt
cmp o.txt nosuch
cmp -s nosuch o.txt
cmp empty o.txt
cmp <(echo a) <(echo ab)
cmp <(printf 'ab') <(printf 'abc')
cmp -s <(printf 'ab') <(printf 'abc')
cmp
cmp --nope o.txt n.txt
cmp - o.txt < o.txt
cmp d1 d2
cmp o.txt n.txt 3 4
cmp -l <(printf 'ab') <(printf 'abc')
cmp -n x o.txt n.txt
cmp -ls o.txt n.txt
diff -u o.txt n.txt > p; patch o.txt p; cmp o.txt n.txt
diff -u o.txt n.txt > p; patch -p0 < p; patch -R -p0 < p
diff -u o.txt n.txt > p; patch -i p
diff -u o.txt n.txt > p; patch --dry-run < p; cmp o.txt n.txt
diff -u o.txt n.txt > p; patch -s < p; patch < p; ls
diff -u o.txt n.txt > p; patch < p; patch -N < p; ls
diff -u o.txt n.txt > p; patch < p; patch -f < p; ls
diff -u o.txt n.txt > p; patch < p; patch -t < p; ls
diff -u o.txt n.txt > p; patch -b < p; ls
diff -u o.txt n.txt > p; patch -b -z .bak < p; ls
diff -u o.txt n.txt > p; patch -o out < p; ls; cmp out n.txt
diff -u o.txt n.txt > p; patch -o - < p | head -3
diff -u o.txt n.txt > p; sed -i 's/line 4/line four/' o.txt; patch < p; ls; cat o.txt.rej
diff -u o.txt n.txt > p; sed -i 's/line 12/line twelve/' o.txt; patch < p; ls *.rej; cat o.txt.rej
diff -u o.txt n.txt > p; sed -i '1i new1\nnew2' o.txt; patch < p; ls
diff -u o.txt n.txt > p; sed -i 's/line 1$/line one/' o.txt; patch < p
diff -u o.txt n.txt > p; sed -i 's/line 1$/line one/' o.txt; patch -F0 < p; cat o.txt.rej
diff -u o.txt n.txt > p; sed -i 's/line 20/x/' o.txt; patch -r my.rej < p; cat my.rej
diff -u o.txt n.txt > p; sed -i 's/line 20/x/' o.txt; patch -r - < p; ls
diff o.txt n.txt > p; patch o.txt < p; cmp o.txt n.txt
diff -c o.txt n.txt > p; patch < p; cmp o.txt n.txt
diff -e o.txt n.txt > p; patch -e o.txt < p
diff -ruN d1 d2 > p; cd d1 && patch -p1 < ../p; cd ..; diff -r d1 d2 && ls d1
diff -ruN d1 d2 > p; patch -p0 < p; diff -r d1 d2
diff -ruN d1 d2 > p; patch -d d1 -p1 -i ../p; ls d1
printf 'diff --git a/o.txt b/o.txt\nindex 123..456 100644\n--- a/o.txt\n+++ b/o.txt\n@@ -1,3 +1,3 @@\n-line 1\n+LINE 1\n line 2\n line 3\n' | patch -p1; head -2 o.txt
printf 'diff --git a/new.txt b/new.txt\nnew file mode 100755\nindex 000..456\n--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+hello\n' | patch -p1; cat new.txt; ls -l new.txt | cut -c1-10
printf 'diff --git a/nonl b/moved\nsimilarity index 100%%\nrename from nonl\nrename to moved\n' | patch -p1; ls nonl moved
printf 'diff --git a/nonl b/copied\nsimilarity index 100%%\ncopy from nonl\ncopy to copied\n' | patch -p1; ls nonl copied
printf -- '--- a/nosuch\n+++ b/nosuch\n@@ -1 +1 @@\n-a\n+b\n' | patch -p1
printf -- '--- a/nosuch\n+++ b/nosuch\n@@ -1 +1 @@\n-a\n+b\n' | patch -p1 -f
printf -- '--- a/x/o.txt\n+++ b/x/o.txt\n@@ -1 +1 @@\n-line 1\n+b\n' | patch -p2
printf -- '--- a/x/o.txt\n+++ b/x/o.txt\n@@ -1 +1 @@\n-line 1\n+b\n' | patch
printf -- '--- a/o.txt\n+++ b/o.txt\n@@ -1,2 +1,2 @@\n-line 1\n+b\n' | patch -p1
printf 'garbage\nhere\n' | patch
patch -p1 < nosuch
patch -p x < empty
diff -u o.txt n.txt > p; patch nosuch p
diff -u o.txt n.txt > p; patch -l < p | tail -1
diff -u o.txt n.txt > p; patch --quiet < p
diff -u o.txt n.txt | sed 's/$/\r/' > p; patch < p
diff -u o.txt n.txt > p; sed -i 's/$/\r/' o.txt; patch < p
diff -u o.txt n.txt > p; sed -i 's/$/\r/' o.txt; patch --binary < p; 
diff -u o.txt n.txt > p; patch --backup --suffix=.orig2 < p; ls *.orig2
diff -u o.txt n.txt > p; patch -V numbered -b < p; ls o.txt*
diff -u o.txt n.txt > p; chmod -w o.txt; patch < p
diff -u o.txt n.txt > p; patch --no-backup-if-mismatch < p
diff -u o.txt n.txt > p; sed -i '1i x' o.txt; patch --no-backup-if-mismatch < p; ls o.txt*
(cat words.txt; diff -u o.txt n.txt) > p; patch < p
diff -u o.txt n.txt | sed '1,2d' > p; patch < p
diff -u o.txt n.txt | sed '1,2d' > p; patch o.txt < p
diff -u o.txt n.txt > p; patch -p0 --posix < p
diff -u o.txt n.txt > p; patch --reject-format=context < p; patch -t --reject-format=unified < p
diff -u --suppress-blank-empty <(printf 'a\n\nb\n') <(printf 'a\n\nc\n') | tail -n +3 | cat -A
cp o.txt 'n x'; echo z >> 'n x'; diff -u o.txt 'n x' | sed 's/\t.*//'
mkdir 'A B' 'C D'; echo 1 > 'A B/z z'; echo 2 > 'C D/z z'; diff -r 'A B' 'C D'; diff -rq 'A B' 'C D'
echo x > é; diff -u é nonl | sed 's/\t.*//'
diff -y -n o.txt n.txt
diff --width=0 -y o.txt n.txt
diff --changed-group-format='<%<|%>>' --unchanged-group-format='=' o.txt n.txt
diff --new-line-format='+%L' nonl o.txt | tail -2
diff -u o.txt n.txt | sed 's/$/\r/' > p; patch < p; cmp o.txt n.txt
diff -u o.txt n.txt | sed 's/$/\r/' > p; patch --binary < p
diff -u o.txt n.txt > p; chmod -w o.txt; patch < p; ls -l o.txt | cut -c 1-10
END
