cd "$(mktemp -d)" || exit 1
b() { printf '%s\n' "$1" | bc ${2-} 2>/dev/null; echo "[$?]"; }
b '"hello"'
b 'x=y=3;x+y'
b 'i=5;i++;i;++i;i--;i'
b '!0'
b '1&&0||1'
b '1<2'
b '3>=3'
b $'define f(a[]){a[0]=9;return a[0]}\na[0]=1;f(a[]);a[0]'
b $'last+1\n5\nlast+1'
b '.'
