cd "$(mktemp -d)" || exit 1
a() { awk "$@" 2>&1; echo "[$?]"; }
printf 'l1 a\nl2 b\nl3 c\n' > f; printf 'k,v,1\nk2,"v,2",x\n' > c.csv; printf 'p1 a\np1 b\n\n\np2 a\np2 b\n' > p; : > e
printf '{ print "P", $1 }\n' > p.awk; printf 'function ff(x){return x "!"}\n' > lib.awk; printf '@include "lib.awk"\nBEGIN{print ff("inc")}' > i.awk
a '{ print | "sort -r" } END { close("sort -r"); print "done" }' 'f'
a 'BEGIN{ "cat f" | getline; print; "cat f" | getline; print; close("cat f"); "cat f" | getline x; print x }'
a 'BEGIN { cmd="cat"; print "hi" |& cmd; close(cmd, "to"); cmd |& getline x; print x; print close(cmd) }'
a 'BEGIN { print "x" >> "app"; close("app"); print "y" >> "app"; close("app"); while((getline l < "app")>0) print l }'
