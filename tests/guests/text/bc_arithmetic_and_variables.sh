cd "$(mktemp -d)" || exit 1
b() { printf '%s\n' "$1" | bc ${2-} 2>/dev/null; echo "[$?]"; }
b '1+2'
b '10/3'
b 'scale=2; 10/3'
b '2^10'
b '(2+3)*4'
b 'scale=2; 100.50 * 1.0825'
b '-5+3'
b '10%3'
b $'x=5\nx*2'
b '5==5'
