cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s 'a\'
s $'$!{a foo\n}'
s '1{p'
s 'p}'
