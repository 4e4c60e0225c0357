cd "$(mktemp -d)" || exit 1
r() { echo "== $*"; "$@" 2>&1 < /dev/null; echo "[$?]"; }
export TZ=UTC
seq 30 > orig; sed 's/^5$/five/;s/^20$/twenty/' orig > new; touch -d 2024-01-02 orig new; diff -u orig new > p.diff
mkdir a b; cp orig a/x; cp new b/x; echo new > b/n; cp orig a/del; find a b -exec touch -d 2024-01-02 {} +; diff -ruN a b > t.diff; mkdir w; cp a/* w; cd w; r patch -p1 -i ../t.diff; ls; r patch -p1 -R -i ../t.diff; ls; r patch -p1 -s -i ../t.diff; ls; cat n
