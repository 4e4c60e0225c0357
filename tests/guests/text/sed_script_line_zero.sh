cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s '1,p'
s '0p'
s '0,2p'
s '0,/a/p' '-n'
