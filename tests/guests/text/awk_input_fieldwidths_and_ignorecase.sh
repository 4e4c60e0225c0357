cd "$(mktemp -d)" || exit 1
a() { awk "$@" 2>&1; echo "[$?]"; }
printf 'l1 a\nl2 b\nl3 c\n' > f; printf 'k,v,1\nk2,"v,2",x\n' > c.csv; printf 'p1 a\np1 b\n\n\np2 a\np2 b\n' > p; : > e
printf '{ print "P", $1 }\n' > p.awk; printf 'function ff(x){return x "!"}\n' > lib.awk; printf '@include "lib.awk"\nBEGIN{print ff("inc")}' > i.awk
a 'BEGIN{FIELDWIDTHS="1 2 *"}{print $1"|"$2"|"$3}' 'f'
a 'BEGIN{FIELDWIDTHS="1 1:1 2"}{print $1"|"$2"|"$3; print NF}' 'f'
a 'BEGIN{IGNORECASE=1} /L2/{print} $2=="B"{print "eq"} {gsub("L","x"); print}' 'f'
a 'NR==2{next} {print} END{print NR}' 'f'
