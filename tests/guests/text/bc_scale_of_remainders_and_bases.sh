cd "$(mktemp -d)" || exit 1
b() { printf '%s\n' "$1" | bc ${2-} 2>/dev/null; echo "[$?]"; }
b 'scale=2;-7/2'
b '5.5%2'
b 'scale=2;5.5%2'
b 'obase=16;255'
b 'ibase=16;FF'
b 'ibase=2;1010'
b 'obase=2;10'
b 'obase=16;255.5'
b 'obase=100;12345'
b 'length(12345)'
