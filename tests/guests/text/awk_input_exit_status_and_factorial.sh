cd "$(mktemp -d)" || exit 1
a() { awk "$@" 2>&1; echo "[$?]"; }
printf 'l1 a\nl2 b\nl3 c\n' > f; printf 'k,v,1\nk2,"v,2",x\n' > c.csv; printf 'p1 a\np1 b\n\n\np2 a\np2 b\n' > p; : > e
printf '{ print "P", $1 }\n' > p.awk; printf 'function ff(x){return x "!"}\n' > lib.awk; printf '@include "lib.awk"\nBEGIN{print ff("inc")}' > i.awk
a 'BEGIN{exit} END{print "end"}'
a 'BEGIN{exit 1} END{exit}'
a '{exit 4} END{print "e"}' 'f'
a 'function f(n){return n<=1?1:n*f(n-1)} BEGIN{print f(10), f(20), f(170)}'
