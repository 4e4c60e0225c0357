cd "$(mktemp -d)" || exit 1
b() { printf '%s\n' "$1" | bc ${2-} 2>/dev/null; echo "[$?]"; }
b 'c(1)' '-l'
b 'a(1)*4' '-l'
b 'e(1)' '-l'
b 'l(10)' '-l'
b 'j(0,1)' '-l'
b 'scale=5;e(2.5)' '-l'
b 'l(0)' '-l'
b 'e(-1)' '-l'
b 'a(-2)' '-l'
b 's(100)' '-l'
