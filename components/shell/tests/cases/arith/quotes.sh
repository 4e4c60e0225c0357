# In arithmetic `"` is removed, and `'` is an error, except in the subscript of an associative array.
t() { (eval "$1") 2>&1 | sed "s/^.*: line [0-9]*: //"; }
echo $(("1" + "2")) $(( "3"4 + 1 )) $(( "" )) $[ "2" * 3 ]
t "echo \$(( '1' + 2 ))"
t "x=a; echo \$(( '\$x' ))"
t "echo \$(( \$'1' + 1 ))"
t 'echo $(( \1 + 2 ))'
t 'x=3; echo $(( x\*2 ))'
t "x=3; (( x == '3' )); echo \$?"
t "for (( i = '0'; i < 3; i++ )); do echo \$i; done"
t "s=abcdef; echo \${s:'1':2}"
t "a=(1 2 3); echo \${a['1']}"
t "a['k']=1; echo \"\${a[@]}\""
t 'a["k"]=1; echo "${a[@]}"'
declare -A m=(['a b']=4 ['$k']=5); k='a b'
echo $((m['a b'])) $((m["a b"])) $((m[a b])) $((m[$k])) $((m["$k"])) $((m['$k'])) $((m[\$k]))
((m['a b']++)); ((m["c'd"]=7)); echo "${m['a b']} ${m["c'd"]}"
t "declare -A m; (( m['a]b'] = 3, m[\"x[\"] = 4 )); declare -p m"
