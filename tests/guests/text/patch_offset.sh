cd "$(mktemp -d)" || exit 1
r() { echo "== $*"; "$@" 2>&1 < /dev/null; echo "[$?]"; }
export TZ=UTC
seq 30 > orig; sed 's/^5$/five/;s/^20$/twenty/' orig > new; touch -d 2024-01-02 orig new; diff -u orig new > p.diff
sed '1i x' orig > f; r patch f p.diff; head -7 f
ls
