cd "$(mktemp -d)" || exit 1
a() { awk "$@" 2>&1; echo "[$?]"; }
printf 'l1 a\nl2 b\nl3 c\n' > f; printf 'k,v,1\nk2,"v,2",x\n' > c.csv; printf 'p1 a\np1 b\n\n\np2 a\np2 b\n' > p; : > e
printf '{ print "P", $1 }\n' > p.awk; printf 'function ff(x){return x "!"}\n' > lib.awk; printf '@include "lib.awk"\nBEGIN{print ff("inc")}' > i.awk
a 'BEGIN { print tolower(123) , length(1/4), 1e3 == "1000", index(12345, 34) }'
a 'BEGIN { a = "x"; a = a a a; print a; b = b "q" b; print b; c = 5; c = c c; print c+1 }'
a 'BEGIN { i = 5; print i++ + ++i, i; print i-- - --i, i; x = y = 3; print x y; x += y -= 1; print x, y; x ^= 2; print x; x %= 7; print x; x /= 2; print x; x **= 2; print x}'
a 'BEGIN { print 1 - 1 - 1, 2 ^ 3 ^ 2, 8 / 4 / 2, 7 % 4 % 2, 1 < 2 ? "a" : "b", 1 ? 2 ? 3 : 4 : 5 }'
