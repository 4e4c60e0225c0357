exec 2>&1
set -u; echo ${x-} ${x:-d}; a=(); echo "${a[@]}" "${#a[@]}"; (echo $x); echo $?; (echo ${a[0]}); echo $?; (echo "$1"); echo "$@" $*; (echo ${x#y}); (echo $((x+1))); echo $?; (echo ${!x}); (echo ${#x}); declare -i n; (echo $n)
