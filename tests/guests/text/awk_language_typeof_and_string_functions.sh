cd "$(mktemp -d)" || exit 1
g() { printf '%s\n' "${2-}" | awk "$1" 2>&1; echo "[$?]"; }
g 'function f(a){a["x"]=1} BEGIN{f(z); print length(z); print typeof(z), typeof(q), typeof(1), typeof("a"), typeof(@/a/), typeof($1), typeof($9)}' '12'
g 'BEGIN{print substr("hello",2); print tolower("ABC") toupper("def"); n=split("a:b:c",arr,":",sp); print n, arr[1], sp[1]; print gensub(/(a)(b)/,"\\2\\1","g","abab"); print gensub("a","x",2,"aaa"); s="hello"; gsub(/l/,"[&]",s); print s; gsub(/l/,"\\&",s); print s; print match("foobar", /o+/), RSTART, RLENGTH; match("foobar",/(o+)(b)/,m); print m[0],m[1],m[2],m[1,"start"],m[1,"length"]}'
