cd "$(mktemp -d)" || exit 1
a() { awk "$@" 2>&1; echo "[$?]"; }
printf 'l1 a\nl2 b\nl3 c\n' > f; printf 'k,v,1\nk2,"v,2",x\n' > c.csv; printf 'p1 a\np1 b\n\n\np2 a\np2 b\n' > p; : > e
printf '{ print "P", $1 }\n' > p.awk; printf 'function ff(x){return x "!"}\n' > lib.awk; printf '@include "lib.awk"\nBEGIN{print ff("inc")}' > i.awk
a 'BEGIN{getline; print; getline; print $2; print NR}' 'f'
a '{while((getline x) > 0) last=x} END{print last, NR}' 'f'
a 'BEGIN{print getline < "nofile"; print (getline x < "f"), x}'
a 'BEGIN{print strftime("%Y", 86400*366), mktime("2000 01 01 00 00 00"), strftime("%A %B %d %j %U %w %y %e %I %p %M %S %%", 1e9, 1), strftime("%F %T %D %R %H:%M", 1e9, 1), strftime("%c|%x|%X", 1e9,1), strftime("%s %z %Z", 1e9, 1)}'
