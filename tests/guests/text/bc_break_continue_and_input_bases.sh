cd "$(mktemp -d)" || exit 1
b() { printf '%s\n' "$1" | bc ${2-} 2>/dev/null; echo "[$?]"; }
b 'for(i=1;i<=3;i++){if(i==2)continue;print i,"\n"}'
b 'while(1){break};7'
b 'obase=8;64;obase=10;64'
b 'ibase=8;17;ibase=A;17'
b 'FF'
b $'scale=2\na=10.567\na/1'
b '(1.999+0.5)/1'
b 'scale=0;(7.8)/1'
b '1000000*1.05^10'
b 'scale=2;1000000*1.05^10'
