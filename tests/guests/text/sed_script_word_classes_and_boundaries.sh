cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s 's/b\?/x/g'
s 's/\w/<&>/'
s 's/\b/|/g'
s 's/\B/|/g'
