cd "$(mktemp -d)" || exit 1
r() { echo "== $*"; "$@" 2>&1 < /dev/null; echo "[$?]"; }
export TZ=UTC
seq 30 > orig; sed 's/^5$/five/;s/^20$/twenty/' orig > new; touch -d 2024-01-02 orig new; diff -u orig new > p.diff
printf -- '--- /dev/null\n+++ b/newf\n@@ -0,0 +1,2 @@\n+a\n+b\n' > nf.diff; r patch -p1 -i nf.diff; cat newf; r patch -p1 -i nf.diff; printf -- '--- a/newf\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n' > df.diff; r patch -p1 -i df.diff; ls
