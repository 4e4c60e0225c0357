cd "$(mktemp -d)" || exit 1
a() { awk "$@" 2>&1; echo "[$?]"; }
printf 'l1 a\nl2 b\nl3 c\n' > f; printf 'k,v,1\nk2,"v,2",x\n' > c.csv; printf 'p1 a\np1 b\n\n\np2 a\np2 b\n' > p; : > e
printf '{ print "P", $1 }\n' > p.awk; printf 'function ff(x){return x "!"}\n' > lib.awk; printf '@include "lib.awk"\nBEGIN{print ff("inc")}' > i.awk
a 'BEGIN{print match("aaa",/b/), RSTART, RLENGTH; print match("xabc",/a(b)(c)?/,m), m[0], m[1], m[2], length(m), m[2,"start"]; if (match("abc",/(x)?b/,q)) print length(q), (1 in q)}'
a 'BEGIN{print split("a,b,c",x,","), x[3]; print split("abc",y,""), y[3]; print split("  a b ",z," "), z[1]; print split("",w), length(w); print split("a1b22c",v,/[0-9]+/,s), s[2]; print split("a.b.c",u,"."), u[2]; print split("aXbxc",t,"x"), t[1]; n = split(" a b ", k, / /); print n, k[1] "|" k[2] }'
a 'BEGIN{print patsplit("a1b2c3",p,/[0-9]/,s), p[1],p[3], s[0], s[1], s[3] "|"}'
a 'BEGIN{print index("foobar","bar"), index("foo","x"), length("héllo"), substr("héllo",2,3), toupper("héllo"), tolower("ÀÉ")}'
