cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s '1s/^/x/;2s/$/y/'
s 'y/abc/ABC/'
s '='
s '-n' 'l'
