cd "$(mktemp -d)" || exit 1
r() { echo "== $*"; "$@" 2>&1 < /dev/null; echo "[$?]"; }
printf 'a\nb\n' > c1; printf 'a\nb\nc\n' > c2; printf 'a\nX\n' > c3; printf 'a' > c4; : > c5
r cmp c1 c2
r cmp c1 c3
r cmp c4 c1
r cmp c5 c1
r cmp c1 nofile
r cmp c2 c1
r cmp c1 c1
r cmp c1
