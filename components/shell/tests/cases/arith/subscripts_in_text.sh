# In the text of `let`, `[[` and of variables, subscripts are expanded.
t() { (eval "$1") 2>&1 | sed "s/^.*: line [0-9]*: //"; }
declare -A m; k='a b'
let 'm[$k]++' "m[\$k] += 2" 'm["$k"] *= 2'; echo "${m[$k]}"
x='m[$k]'; echo $((x)) $((x + 1)); ((x == 6)) && echo six
a=(5 6 7) i=2; x='a[$i]'; echo $((x)); let 'y = a[$i]'; echo $y
x='a[$(echo 1)]'; echo $((x)); declare -i n; n=$x; echo $n
for k in "x y" "a'b" 'a"b' 'a\b' 'a$b' 'a]b'; do let 'm[$k]++' 'm["$k"]++'; done; echo "${m[@]}"
t 'declare -A m; let "m[]=3"; echo $?; ((m[]=3)); echo $? ${#m[@]}'
t 'declare -A m; k=; echo $((m[$k])); ((m[$k]=3)); echo ${#m[@]}'
t 'set -u; a=(1 2); echo $((a[5])); echo $((none[1]))'
