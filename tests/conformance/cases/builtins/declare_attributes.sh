exec 2>&1
declare -i i=5; i+=3; echo $i; declare -l lo=ABC; declare -u up=abc; echo $lo $up; declare -r ro=1; ro=2; echo $?; declare -x ex=1; env | grep ^ex; declare -a ar; ar[3]=x; declare -p ar; declare -A as; as[a]=1; declare -p as; readonly -p | grep ro; export -p | grep ex; declare -p nosuch; echo $?; typeset -i k=2*3; echo $k; local z 2>&1
