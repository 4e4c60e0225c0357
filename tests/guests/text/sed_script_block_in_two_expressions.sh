cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s '-n' '2{p' '-e' '}'
s '1~3d'
s '2~0d'
s '0~0d'
