cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s '2,/b/p' '-n'
s '2,/c/p' '-n'
s '0,/b/d'
s '/a/,3{s/^/-/}'
