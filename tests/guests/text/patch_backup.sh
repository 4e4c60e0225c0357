cd "$(mktemp -d)" || exit 1
r() { echo "== $*"; "$@" 2>&1 < /dev/null; echo "[$?]"; }
export TZ=UTC
seq 30 > orig; sed 's/^5$/five/;s/^20$/twenty/' orig > new; touch -d 2024-01-02 orig new; diff -u orig new > p.diff
cp orig y; r patch -b y p.diff; ls; cp orig y; r patch -o out y p.diff; ls; cp orig y; r patch -z .bak -b y p.diff; ls
