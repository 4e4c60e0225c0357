cd "$(mktemp -d)" || exit 1
a() { awk "$@" 2>&1; echo "[$?]"; }
printf 'l1 a\nl2 b\nl3 c\n' > f; printf 'k,v,1\nk2,"v,2",x\n' > c.csv; printf 'p1 a\np1 b\n\n\np2 a\np2 b\n' > p; : > e
printf '{ print "P", $1 }\n' > p.awk; printf 'function ff(x){return x "!"}\n' > lib.awk; printf '@include "lib.awk"\nBEGIN{print ff("inc")}' > i.awk
a 'BEGIN{print "10"+0 == 10, "abc" == 0, "" == 0, x == 0, x == "", "1e2" == 100, 1e2 == "100"}'
printf %s $'10 10.0 abc 0x10 1e1\n' | a '{print $1==$2, $3==0, $1==$5, $4==16, $1=="10", $2=="10", $1<9, "10"<9}'
a 'BEGIN{print length(x), x+0, x ""; if(!x) print "f"; y[1]; if(y[1]=="" && y[1]==0) print "both"}'
a 'BEGIN { print substr("hello", 2, 0) "|" substr("hello", 10) "|" substr("", 1) "|" }'
