cd "$(mktemp -d)" || exit 1
b() { printf '%s\n' "$1" | bc ${2-} 2>/dev/null; echo "[$?]"; }
b 'scale=50;4*a(1)' '-l'
b 'e(10)' '-l'
b 'l(2)' '-l'
b '1/3' '-l'
b 'foo('
b '1+'
b '1 2'
b '/* c */ 1 # x'
b $'quit\n5'
b 'halt'
