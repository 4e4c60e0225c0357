f() { [[ $1 -le 0 ]] && return; echo -n "$1 "; f $(( $1 - 1 )); }; f 5; echo; g() { echo ${#FUNCNAME[@]}; (( ${#FUNCNAME[@]} < 4 )) && g; }; g | tail -1
