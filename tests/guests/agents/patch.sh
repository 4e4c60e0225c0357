# patch as agents call it. Each line runs on the same files; patch.out has its output, its status and the first line of its errors.
. /mnt/cases/lines
while IFS= read -r line; do try "$line"; done <<'END'
diff -u o.txt n.txt > p; patch < p; cmp o.txt n.txt
diff -u o.txt n.txt > p; patch -R n.txt < p; cmp o.txt n.txt
diff -u o.txt n.txt > p; patch --dry-run o.txt p
diff -u o.txt n.txt > p; patch -b o.txt p; ls o.*
diff -u o.txt n.txt > p; patch -s -z .bk -b o.txt p; ls o.*
diff -c o.txt n.txt > p; patch o.txt p
diff o.txt n.txt > p; patch o.txt p; cmp o.txt n.txt
diff -e o.txt n.txt > p; patch o.txt p; cmp o.txt n.txt
diff -ru d1 d2 > p; cd d1; patch -p1 < ../p; ls -R
diff -ruN d1 d2 > p; cd d2; patch -R -p1 < ../p; diff -r . ../d1
diff -ruN d1 d2 > p; patch -p0 --dry-run < p
diff -u o.txt n.txt > p; patch o.txt p; patch o.txt p; cat o.txt.rej | head
diff -u o.txt n.txt > p; patch o.txt p; patch -N o.txt p
diff -u o.txt n.txt > p; patch o.txt p; patch -f o.txt p
diff -u o.txt n.txt > p; sed -i 's/line 2/LINE 2/' o.txt; patch o.txt p; cat o.txt.rej
diff -u o.txt n.txt > p; sed -i '1i x\ny\nz' o.txt; patch o.txt p
diff -u o.txt n.txt > p; sed -i 's/line 7/xx/' o.txt; patch -F3 o.txt p
diff -u o.txt n.txt > p; sed -i 's/line 7/xx/' o.txt; patch -F0 o.txt p
diff -u o.txt n.txt > p; patch -p1 < p
diff -u o.txt n.txt > p; rm o.txt; patch < p
patch < empty
patch < words.txt
patch nosuch p
patch --nope
patch -i nosuch
printf -- '--- a/x\n+++ b/x\n@@ -0,0 +1,2 @@\n+hello\n+w\n' | patch -p1; cat x
printf -- '--- a/nonl\n+++ /dev/null\n@@ -1,3 +0,0 @@\n-one\n-two\n-three\n\\ No newline at end of file\n' | patch -p1; ls nonl
printf -- '--- a/../../x\n+++ b/../../x\n@@ -0,0 +1,2 @@\n+hello\n+w\n' | patch -p0; ls
printf -- '--- /tmp/zz\n+++ /tmp/zz\n@@ -0,0 +1,2 @@\n+hello\n+w\n' | patch -p0; ls
printf 'diff --git a/nonl b/two\nsimilarity index 100%%\nrename from nonl\nrename to two\n' | patch -p1; ls two
printf 'diff --git a/nonl b/nonl\nold mode 100644\nnew mode 100755\n' | patch -p1; ls -l nonl | cut -c1-10
printf 'diff --git a/q b/q\nnew file mode 100644\nindex 000..123\n--- /dev/null\n+++ b/q\n@@ -0,0 +1 @@\n+hi\n' | patch -p1; cat q
diff -u o.txt n.txt > p; patch --binary --no-backup-if-mismatch -r - o.txt p
diff -u o.txt n.txt > p; patch -Y pre. -b o.txt p; ls
diff -u o.txt n.txt > p; patch -B bk/ -b o.txt p; ls bk
printf -- '--- nonl\n+++ nonl\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n' | patch
printf -- '--- nonl\n+++ nonl\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n\\ No newline at end of file\n' | patch; od -c nonl
diff -u d1/b.txt nonl > p; patch d1/b.txt p; od -c d1/b.txt
END
