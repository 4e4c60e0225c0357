# Operators on whole arrays, next to others in the same quotes; braces that expand to nothing; omitted exponents.
arr=(one 'two three' '' '*'); s=S; n=7; z=
p() { printf '<%s>' "$@"; echo; }
p "${arr[*]^^}${arr[@]}"; p "${arr[@]}${arr[*]^^}"; p "${arr[*]#o}$s" "${arr[*]#o}${arr[@]}"
p "${arr[*]@Q}${arr[@]}"; p "${arr[*]}${arr[@]}"; p "${arr[*]:1}${!arr[@]}"; IFS=:; p "${arr[*]^^}${arr[@]}"; unset IFS
set -- p1 'p 2' ''
p "${*@a}" "${*@A}" ${@@A} "${*^^}$@"
local_() { local t={a}$1; echo "$t"; local v={1..1}; echo "$v"; export W={x}y; echo $W; }; local_ $'a b\nc'
echo ${n:-{x,{y,z}}{1..2}} ${z:-${#n}{a,b}{3..4}} ${z:-{}{a,b} "${z:-{a,b}}"{1,2}
echo $((1 || 2**n)) $((0 && 2**-n)) $((1 ? 2 : 2**(n-9)))
(echo $((1 || 2**-1))) 2>&1 | sed 's/.*: //'
(echo $((2 ** (-1)))) 2>&1 | sed 's/.*: //'
shopt -s extglob
[[ !(*.c) = !(a) ]]; echo $?
[[ x.h == !(*.c) ]]; echo $?
echo ~+(a|b).c
