exec 2>&1
f() { echo "$FUNCNAME ${FUNCNAME[@]} $#"; g; }; g() { echo "${FUNCNAME[*]} ${BASH_LINENO[*]} ${BASH_SOURCE[*]}"; caller; caller 0; caller 1; }
f a b; unset -f g; f 2>&1; declare -F; type f; function h { return 7; }; h; echo $?; k() (exit 9); k; echo $?; l() { local x=1 y; x=2; echo $x ${y-unset}; }; x=0; l; echo $x
