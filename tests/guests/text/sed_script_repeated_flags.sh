cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s 's/a/b/gg'
s 's/a/b/pp'
s 's/a/b/1 2'
s 's/a/b/12 3'
