cd "$(mktemp -d)" || exit 1
b() { printf '%s\n' "$1" | bc ${2-} 2>/dev/null; echo "[$?]"; }
b 'scale(1.234)'
b 'length(0.001)'
b $'define f(x){return x*2}\nf(4)'
b $'define f(n){\nif(n<=1) return 1\nreturn n*f(n-1)\n}\nf(20)'
b 'for(i=0;i<3;i++) i'
b 'i=0;while(i<3){i;i+=1}'
b 'if(1>2) 1 else 2'
b 'a[1]=5;a[1]+1'
b 'print "hi\n"'
b 'print 1,2,"x\n"'
