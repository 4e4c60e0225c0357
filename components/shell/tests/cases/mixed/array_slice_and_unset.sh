arr=(a b c); echo "${arr[@]:1}" "${#arr[*]}"; unset "arr[0]"; printf '<%s>' "${arr[@]}"; echo; arr=("${arr[@]}"); echo ${!arr[@]}
