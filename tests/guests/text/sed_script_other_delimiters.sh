cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s 's/b/'\''&'\''/'
s 's,b,x\,y,'
s 's|b|x\|y|'
s '-e' '1{' '-e' 'p' '-e' '}'
