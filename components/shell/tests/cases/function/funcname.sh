f() { echo ${FUNCNAME[0]} ${#FUNCNAME[@]}; g; }; g() { echo ${FUNCNAME[*]}; }; f
