cd "$(mktemp -d)" || exit 1
a() { awk "$@" 2>&1; echo "[$?]"; }
printf 'l1 a\nl2 b\nl3 c\n' > f; printf 'k,v,1\nk2,"v,2",x\n' > c.csv; printf 'p1 a\np1 b\n\n\np2 a\np2 b\n' > p; : > e
printf '{ print "P", $1 }\n' > p.awk; printf 'function ff(x){return x "!"}\n' > lib.awk; printf '@include "lib.awk"\nBEGIN{print ff("inc")}' > i.awk
a 'BEGIN { f="foo"; print @f(3) } function foo(x){return x*2}'
a 'BEGIN{ a["x"]=1; f(a); print a["x"] } function f(b){ b["x"]++; }'
a 'BEGIN { x["a"]; if (!("b" in x)) print "no"; for (k in x) delete x[k]; print length(x); delete x; }'
a 'BEGIN{a[1,2]=3; for(k in a){split(k,p,SUBSEP); print p[1],p[2]}; if((1,2) in a) print "yes"; SUBSEP=":"; a[3,4]; for(k in a) print k ~ /:/}'
