cd "$(mktemp -d)" || exit 1
r() { echo "== $*"; "$@" 2>&1 < /dev/null; echo "[$?]"; }
export TZ=UTC
seq 30 > orig; sed 's/^5$/five/;s/^20$/twenty/' orig > new; touch -d 2024-01-02 orig new; diff -u orig new > p.diff
sed -i 's/ 8$/ 8x/' p.diff; cp orig f; r patch f p.diff; cp orig f; r patch -F0 f p.diff; cp orig f; r patch -F1 -s f p.diff; ls
