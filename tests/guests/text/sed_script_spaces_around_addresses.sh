cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s '1 , 2p' '-n'
s ' 1p' '-n'
s '1p ; 2p' '-n'
s '{ p ; p }' '-n'
