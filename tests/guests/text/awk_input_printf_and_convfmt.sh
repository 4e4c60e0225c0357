cd "$(mktemp -d)" || exit 1
a() { awk "$@" 2>&1; echo "[$?]"; }
printf 'l1 a\nl2 b\nl3 c\n' > f; printf 'k,v,1\nk2,"v,2",x\n' > c.csv; printf 'p1 a\np1 b\n\n\np2 a\np2 b\n' > p; : > e
printf '{ print "P", $1 }\n' > p.awk; printf 'function ff(x){return x "!"}\n' > lib.awk; printf '@include "lib.awk"\nBEGIN{print ff("inc")}' > i.awk
a 'BEGIN{print sprintf("%c%c%c",72,"ello",256+65), sprintf("%5s|%-5s|%.2s","ab","cd","efg"), sprintf("%03d|%+d|%x|%o|%e|%g",7,7,255,8,1234.5,0.0001)}'
a 'BEGIN{printf "%s %d %s\n", "only", "12abc", 3.0; printf "%5%|\n"; printf "%c", ""; printf "%c\n", 0x41; printf "%i\n", -3.7; printf "%d\n", "0x11"; printf "%.3s|%10.3f|%-10d|\n", "abcdef", 3.14159, 42 }'
a 'BEGIN{CONVFMT="%.2g"; a=3.14159; b=a ""; print b; OFMT="%.3f"; print a, a ""; x[a]=1; for(k in x) print k; print 17 "", 1e20 ""}'
a 'BEGIN{print 0.1+0.2, 1e6, 1e-7, 123456.789, 1234567.89, 100000000, 3.0, 1/3, 2/3*3}'
