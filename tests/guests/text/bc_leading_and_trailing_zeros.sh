cd "$(mktemp -d)" || exit 1
b() { printf '%s\n' "$1" | bc ${2-} 2>/dev/null; echo "[$?]"; }
b '0.00001*1'
b '-.5'
b '1.0'
b '1.10'
b '00012'
b '5 + 3 * 2 - 8 / 4'
b '12345678901234567890 % 97'
b 'scale=20;e=1;for(i=1;i<20;i++){f=1;for(j=1;j<=i;j++)f=f*j;e=e+1/f};e'
b 'obase=2;255;obase=3;10'
b 'obase=16;-255'
