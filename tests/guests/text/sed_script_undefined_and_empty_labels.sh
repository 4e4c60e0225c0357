cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s 'b end}'
s ':a;bx'
s ':a b;p'
s ': '
