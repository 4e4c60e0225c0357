cd "$(mktemp -d)" || exit 1
b() { printf '%s\n' "$1" | bc ${2-} 2>/dev/null; echo "[$?]"; }
b 'obase=20;399'
b 'x=3;x^=2;x;x%=4;x;x/=1;x-=1;x*=7;x'
b $'define m(a,b){if(a>b){return a};return b}\nm(3,7)'
b 'sqrt(0)'
b 'scale=-1'
b 'ibase=1'
b 'print "a\tb\\n"'
b 'if(0){1}else{2}'
b 'if(1) if(0) 1 else 2'
b '1 == 1.0'
