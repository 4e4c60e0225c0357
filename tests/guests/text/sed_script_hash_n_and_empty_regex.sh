cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s $'#n\np'
s '1~2p' '-n'
s '//p'
s 's//x/'
