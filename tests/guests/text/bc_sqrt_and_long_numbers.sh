cd "$(mktemp -d)" || exit 1
b() { printf '%s\n' "$1" | bc ${2-} 2>/dev/null; echo "[$?]"; }
b 'sqrt(-1)'
b 'sqrt(16)'
b 'sqrt(2)'
b 'scale=3;sqrt(2.0)'
b '1.500+1.5'
b '1.50*2'
b '100000000000000000000*100000000000000000000'
b '2^500'
b 'scale=100;1/7'
b 's(1)' '-l'
