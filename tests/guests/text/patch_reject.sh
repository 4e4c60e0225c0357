cd "$(mktemp -d)" || exit 1
r() { echo "== $*"; "$@" 2>&1 < /dev/null; echo "[$?]"; }
export TZ=UTC
seq 30 > orig; sed 's/^5$/five/;s/^20$/twenty/' orig > new; touch -d 2024-01-02 orig new; diff -u orig new > p.diff
sed 's/^5$/V/' orig > f; r patch f p.diff; cat f.rej; ls
sed 's/^4$/four/' orig > f; r patch f p.diff; r patch -f f p.diff
