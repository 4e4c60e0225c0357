cd "$(mktemp -d)" || exit 1
b() { printf '%s\n' "$1" | bc ${2-} 2>/dev/null; echo "[$?]"; }
b '1;2;3'
b 'a=1;b=2;a+b'
b $'define f(){auto x;x=3;return x}\nx=1;f();x'
b 'undefined(1)'
b 'x'
b '2^0.5'
b '2^3^2'
b '-2^2'
b '1-1-1'
b '8/4/2'
