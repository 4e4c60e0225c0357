cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s '1,$d'
s '2,$!d'
s '/b/!s/^/x/'
s '/a/,+1d'
