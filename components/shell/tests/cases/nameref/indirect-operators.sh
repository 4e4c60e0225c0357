# ${!ref} with an operator: `ref` is not set, is a name reference, or holds a name.
# indirect on unset
for op in '' :-d -d :+d +d '#a' '%%b' '/a/b' '//a' ':1' ':0:1' ^ ,, @Q @U @a @k :=d =d ':?d'; do
  ( eval "echo \"[\${!none$op}]\"" 2>&1 | sed "s/^.*line [0-9]*: //" ); done
echo ---
declare -n nr=map; declare -A map=([k]=vee [0]=zero); y=yy; declare -n ny=y; ref=y
for op in '' :-d -d :+d +d '#z' '%%o' '/e/b' ':1' ':0:1' ^ ,, @Q @U @a @k :=d; do
  ( eval "echo \"[\${!nr$op}] [\${!ny$op}] [\${!ref$op}]\"" 2>&1 | sed "s/^.*line [0-9]*: //" ); done
declare -n ne=map[k]; declare -n nu=nowhere; declare -n na=arr; arr=(r0 r1)
for op in '' :-d +d '#z' ':1' ^ @Q @A @a; do
  ( eval "echo \"[\${!ne$op}] [\${!nu$op}] [\${!na$op}]  [\${ne$op}]  [\${nu$op}]\"" 2>&1 | sed "s/^.*line [0-9]*: //" ); done

set --
for v in 5 1 '@' '*' 'arr[5]' 'arr[@]' 'none[2]'; do for op in '' :-d +d '#z' ':1' @Q; do
  ( eval "echo \"$v$op [\${!$v$op}]\"" 2>&1 | sed 's/^.*line [0-9]*: //' ); done; done
