cd "$(mktemp -d)" || exit 1
a() { awk "$@" 2>&1; echo "[$?]"; }
printf 'l1 a\nl2 b\nl3 c\n' > f; printf 'k,v,1\nk2,"v,2",x\n' > c.csv; printf 'p1 a\np1 b\n\n\np2 a\np2 b\n' > p; : > e
printf '{ print "P", $1 }\n' > p.awk; printf 'function ff(x){return x "!"}\n' > lib.awk; printf '@include "lib.awk"\nBEGIN{print ff("inc")}' > i.awk
a 'BEGIN { print 1 in x, !1 in x, 1 && 0 || 1, !1 || 1, 1 == 1 == 1 }'
a 'BEGIN { print (1,2) in x, "a" > "/dev/stdout" }'
a 'BEGIN { print "A" < "a", "a" < "b", "B" < "a", 10 < 9, "10" < "9", "" < "a" }'
a 'BEGIN { if (!(3 in a)) print "none"; a[3]; if (3 in a) print "now"; print length(a) }'
