cd "$(mktemp -d)" || exit 1
r() { echo "== $*"; "$@" 2>&1 < /dev/null; echo "[$?]"; }
export TZ=UTC
seq 30 > orig; sed 's/^5$/five/;s/^20$/twenty/' orig > new; touch -d 2024-01-02 orig new; diff -u orig new > p.diff
printf 'diff --git a/q b/q\nnew file mode 100755\nindex 0..1\n--- /dev/null\n+++ b/q\n@@ -0,0 +1 @@\n+z\n' | patch -p1; test -x q; echo $?; printf 'diff --git a/q b/r\nrename from q\nrename to r\n' | patch -p1; ls; printf 'a\nb\nc' > nn; printf -- '--- nn\n+++ nn\n@@ -1,3 +1,3 @@\n a\n b\n-c\n\\ No newline at end of file\n+C\n' | patch; od -c nn
