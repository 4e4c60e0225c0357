cd "$(mktemp -d)" || exit 1
r() { echo "== $*"; "$@" 2>&1 < /dev/null; echo "[$?]"; }
printf 'a\nb\n' > c1; printf 'a\nb\nc\n' > c2; printf 'a\nX\n' > c3; printf 'a' > c4; : > c5
r cmp -l c1 c3
r cmp -b c1 c3
r cmp -lb c1 c3
r cmp -s c1 c2
r cmp -n 2 c1 c3
r cmp -i 2 c1 c3
r cmp -i 1:0 c1 c3
r cmp -s c1 c1
