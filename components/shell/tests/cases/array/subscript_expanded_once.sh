# `unset m[$k]` and `[[ -v m[$k] ]]` do not expand the subscript again.
declare -A m
for k in "x y" "a'b" 'a"b' 'a\b' 'a$b' 'a]b' '@' '*' '$(echo k)'; do
    m[$k]=1
    [[ -v m[$k] ]]; echo -n "$? "; [[ -v m["$k"] ]]; echo -n "$? "; [[ -v 'm[$k]' ]]; echo $?
    unset m["$k"]; echo ${#m[@]}
    m[$k]=1; unset 'm[$k]'; echo ${#m[@]}
done
