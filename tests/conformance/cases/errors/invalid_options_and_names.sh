exec 2>&1
set -o nosuch; echo $?; set -Z; echo $?; set +o nosuch; shopt -s nosuch; shopt -u x; unset -v 1x; echo $?; unset -f nof; echo $?; export 1x=2; echo $?; export -f nof; echo $?; declare -Z; echo $?; typeset -i 2x; echo $?; read -z; echo $?; read 1x <<< a; echo $?; mapfile 1x < /dev/null; echo $?; printf; echo $?; printf -v 1x y; echo $?; let; echo $?; getopts; echo $?; getopts a; echo $?
