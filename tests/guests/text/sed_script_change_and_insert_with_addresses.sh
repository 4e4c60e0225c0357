cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s $'$!{1,2c foo\n}'
s '2!c foo'
s 'i\'
s '-e' '1i foo' '-e' '2i bar'
