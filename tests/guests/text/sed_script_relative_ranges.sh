cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s '+1p'
s '1,+1p' '-n'
s '2,~2p' '-n'
s 'pq'
