cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s '-e' '1{a foo' '-e' '}'
s 'i\  x'
s '-e' '2i\    x\' '-e' 'y'
s 's/*a/x/' '-E'
