cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s '1,2{2d}'
s '/x/,/y/p' '-n'
s 'c\'
s 'c'
