cd "$(mktemp -d)" || exit 1
a() { awk "$@" 2>&1; echo "[$?]"; }
printf 'l1 a\nl2 b\nl3 c\n' > f; printf 'k,v,1\nk2,"v,2",x\n' > c.csv; printf 'p1 a\np1 b\n\n\np2 a\np2 b\n' > p; : > e
printf '{ print "P", $1 }\n' > p.awk; printf 'function ff(x){return x "!"}\n' > lib.awk; printf '@include "lib.awk"\nBEGIN{print ff("inc")}' > i.awk
a 'BEGIN{ while(i<5){i++; if(i==2)continue; if(i==4)break; print i}; do{print "d" i; i--}while(i>2); for(;;){if(++j>2)break}; print j}'
a 'BEGIN { printf "%s\n" , "a" "b" ; print length("abc") length; print -"3", +"4x", !"0", !0 , - - 3}'
a 'BEGIN { $3="x"; print NF, $0; $0="a b"; print NF; $1=""; print $0, NF; NF=5; $5="e"; print }'
a '{ $2=""; print; print NF }' 'f'
