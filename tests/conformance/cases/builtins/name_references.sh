exec 2>&1
declare -n r=v; v=1; echo $r; r=2; echo $v; declare -p r; unset -n r; echo ${r-none}; f() { local -n a=$1; a+=(x); }; arr=(1); f arr; echo ${arr[@]}; declare -n q=arr[1]; q=z; echo ${arr[@]}; for n in a b; do declare -n z=$n; z=$n$n; done; echo $a $b
