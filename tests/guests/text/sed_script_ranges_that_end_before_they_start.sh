cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s '/a/,/b/d'
s '2,1p' '-n'
s '/b/,1p' '-n'
s '/a/,/a/p' '-n'
