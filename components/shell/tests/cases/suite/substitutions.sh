# Text that only looks like a substitution, what ends a substitution, and operands that are not expanded.
t() { printf '%s\n' "$1" "echo after \$?" > s; bash ./s 2>&1; echo "-- $?"; }
t 'echo ${x!y}'; t 'echo ${x&}'; t 'echo ${foo@/a}'; t 'foo=1; echo ${foo@/a}'; t 'echo ${x:}'; t 'echo ${}' ; t 'echo ${ }'; t 'echo ${a b}'; t 'echo ${a.b}'; t 'echo "${1abc}"'; t 'echo ${!?bar}'; t 'echo ${!#[0-9]}'; t 'echo ${#x%y}'; t 'echo ${#/}'; t 'echo ${x[]}'; t 'echo ${x@Z}';  t 'x=1; echo ${x@Z}'; t 'f() { echo ${a.b}; echo inf; }; f; echo same'; t '(echo ${a.b}; echo no); echo $?'; t 'x=$(echo ${a.b}; echo no); echo "[$x] $?"'; t 'eval "echo \${a.b}"; echo no'; t 'true || echo ${a.b}'; t 'if echo ${a.b}; then :; fi'
bash -c 'echo ${a.b}
echo next'; echo $?
t 'set -e; echo $(<missing); echo no'; t 'echo $(<missing) $?; echo yes'; t 'set -e; x=$(<missing); echo no'; t 'set -e; echo $(cat <missing) ; echo no'
typeset -i num=5 num2; typeset -i | grep num; declare -a | grep num; typeset -x zz=3; typeset -x | grep zz; export -p | grep zz;typeset | grep ^num; f() { local lv=1 lu; local; local -p; typeset | grep ^lv; }; f; declare -r rr=1; declare -r | grep rr; typeset -p num2; declare -f | head -2; typeset -F
unset v; i=0; : ${v#${q[i=7]}}; echo $i; : ${v/${q[i=8]}/x} ; echo $i; : ${v^^${q[i=9]}}; echo $i; : ${v:i=3:1}; echo $i; v=; : ${v#${q[i=5]}}; echo $i; a=(); : ${a[@]#${q[i=6]}}; echo $i; : ${1%${q[i=4]}}; echo $i
a='~/x'; HOME=/etc; echo "<${a#~}> <${a/~}> <${a//~/y}> <${a/x/~}> ${a/#~/H} ${a/\~/q}"; echo ${a/~/z} ${a%~}
