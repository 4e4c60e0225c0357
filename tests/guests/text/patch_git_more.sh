export LC_ALL=C TZ=UTC0
cd "$(mktemp -d)" || exit 1
p() { echo "== patch $*"; patch "$@" 2>&1; echo "[$?]"; }
echo '# two names changed for each other, one copied and changed'
echo 1 > f; echo 2 > g; seq 5 > h
printf 'diff --git a/f b/g\nrename from f\nrename to g\ndiff --git a/g b/f\nrename from g\nrename to f\ndiff --git a/h b/h\n--- a/h\n+++ b/h\n@@ -1,2 +1,2 @@\n-1\n+one\n 2\ndiff --git a/h b/k\ncopy from h\ncopy to k\n--- a/h\n+++ b/k\n@@ -4,2 +4,2 @@\n 4\n-5\n+five\n' > x.diff
p -p1 < x.diff; head f g h k
echo '# made, emptied, deleted, links, modes'
printf 'diff --git a/e b/e\nnew file mode 100755\nindex 0000000..e69de29\ndiff --git a/s b/s\nnew file mode 120000\n--- /dev/null\n+++ b/s\n@@ -0,0 +1 @@\n+e\n\\ No newline at end of file\n' > new.diff
p -p1 < new.diff; stat -c '%A %s %n' e; readlink s; p -p1 -R < new.diff; ls e s 2>&1
printf 'diff --git a/m b/m\nold mode 100644\nnew mode 100600\n' > m.diff; : > m; chmod 644 m; p -p1 < m.diff; stat -c %A m; p -p1 -R < m.diff; stat -c %A m
: > z; printf 'diff --git a/z b/z\nindex 1..2\nGIT binary patch\nliteral 1\nIcmZQ\n' > bin.diff; p -p1 < bin.diff
echo '# names in quotes'
echo old > "$(printf 'a\tb')"; printf -- '--- "a\\tb"\n+++ "a\\tb"\n@@ -1 +1 @@\n-old\n+new\n' | p -p0; cat a*b
