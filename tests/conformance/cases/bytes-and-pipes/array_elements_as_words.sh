exec 2>&1
a=(1 "2 3" '' 4); printf '<%s>' "${a[@]}"; echo; printf '<%s>' ${a[@]}; echo; printf '<%s>' "${a[*]}"; echo; IFS=-; echo "${a[*]}" ${a[*]}; b=("${a[@]}"); echo ${#b[@]}; c=(${a[@]}); echo ${#c[@]}; printf '<%s>' "x${a[@]}y"; echo; set --; printf '<%s>' "$@" "x$@"; echo; printf '<%s>' "${a[@]:1:2}" "${a[@]/2/Z}" "${a[@]#1}"; echo; unset IFS; d=$*; e="${a[@]}"; echo "$e"
