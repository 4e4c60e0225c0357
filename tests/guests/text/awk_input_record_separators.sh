cd "$(mktemp -d)" || exit 1
a() { awk "$@" 2>&1; echo "[$?]"; }
printf 'l1 a\nl2 b\nl3 c\n' > f; printf 'k,v,1\nk2,"v,2",x\n' > c.csv; printf 'p1 a\np1 b\n\n\np2 a\np2 b\n' > p; : > e
printf '{ print "P", $1 }\n' > p.awk; printf 'function ff(x){return x "!"}\n' > lib.awk; printf '@include "lib.awk"\nBEGIN{print ff("inc")}' > i.awk
a 'BEGIN{RS="";FS="\n"}{print $1; print $2}' 'p'
a 'BEGIN{RS="";FS=" "; ORS="\n--\n"}1' 'p'
a 'BEGIN{RS="[0-9]"}{print NR, $0, RT}' 'f'
a 'BEGIN{RS="l"}{print NR, $0}' 'f'
