cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s '1~0p' '-n'
s '0~2p' '-n'
s '2,4!s/^/#/'
s 'a}'
