cd "$(mktemp -d)" || exit 1
b() { printf '%s\n' "$1" | bc ${2-} 2>/dev/null; echo "[$?]"; }
b 'scale=4; sqrt(2)'
b '1/0'
b '2^100'
b '2^-2'
b 'scale=5;2^-2'
b '.5+.5'
b '0.1*0.1'
b 'scale=10;1/3'
b '-7/2'
b '-7%2'
