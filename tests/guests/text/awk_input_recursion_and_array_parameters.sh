cd "$(mktemp -d)" || exit 1
a() { awk "$@" 2>&1; echo "[$?]"; }
printf 'l1 a\nl2 b\nl3 c\n' > f; printf 'k,v,1\nk2,"v,2",x\n' > c.csv; printf 'p1 a\np1 b\n\n\np2 a\np2 b\n' > p; : > e
printf '{ print "P", $1 }\n' > p.awk; printf 'function ff(x){return x "!"}\n' > lib.awk; printf '@include "lib.awk"\nBEGIN{print ff("inc")}' > i.awk
a 'function fib(n){return n<2?n:fib(n-1)+fib(n-2)} BEGIN{print fib(15)}'
a 'function g(a,k){a[k]=1} function h(b){g(b,"x");g(b,"y")} BEGIN{h(z); print length(z)}'
a 'function loc(a,  i,arr){for(i=0;i<3;i++)arr[i]=i; return length(arr)} BEGIN{print loc(1), loc(1)}'
a 'function r(n){ if(n>0){r(n-1)} else print "deep"} BEGIN{r(20000)}'
