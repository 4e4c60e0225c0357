cd "$(mktemp -d)" || exit 1
r() { echo "== $*"; "$@" 2>&1 < /dev/null; echo "[$?]"; }
export TZ=UTC
seq 30 > orig; sed 's/^5$/five/;s/^20$/twenty/' orig > new; touch -d 2024-01-02 orig new; diff -u orig new > p.diff
cp orig y; diff orig new > n.diff; r patch y n.diff; cmp y new; cp orig y; diff -c orig new > c.diff; r patch y c.diff; cmp y new; r patch -i nofile; echo garbage > g; r patch -i g
