cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s 's/a/b/1g2'
s 's/a/b/0'
s 'k'
s '1!!p'
