cd "$(mktemp -d)" || exit 1
a() { awk "$@" 2>&1; echo "[$?]"; }
printf 'l1 a\nl2 b\nl3 c\n' > f; printf 'k,v,1\nk2,"v,2",x\n' > c.csv; printf 'p1 a\np1 b\n\n\np2 a\np2 b\n' > p; : > e
printf '{ print "P", $1 }\n' > p.awk; printf 'function ff(x){return x "!"}\n' > lib.awk; printf '@include "lib.awk"\nBEGIN{print ff("inc")}' > i.awk
a '{ sub(/l/,"L"); print; gsub(/[0-9]/,"<&>",$1); print $1; print }' 'f'
a '{ n=gsub(/x*/,"-"); print n, $0 }' 'f'
a 'BEGIN{s="aaa"; print sub("a","b&c\\&\\\\&",s), s; t="foo.bar"; gsub(".","x",t); print t; u="foo.bar"; gsub("\\.","x",u); print u; v="a/b"; gsub("/","\\/",v); print v; w="path"; gsub(/a/,"\\\\",w); print w}'
a 'BEGIN{print gensub(/(.)(.)/,"\\2\\1","g","abcd"), gensub(/b/,"[\\0]",1,"abcb"), gensub(/b/,"X",2,"abcb"), gensub(/z/,"q","g","abc"), gensub(/a/, "&&\\&", "g", "banana")}'
