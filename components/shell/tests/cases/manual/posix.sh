# POSIX mode.
POSIXLY_CORRECT=1; shopt -o posix; unset POSIXLY_CORRECT; shopt -o posix
bash --posix -c 'break; shift; echo $?; x=2 :; declare -p x; echo hi > a*; echo a*' 2>&1
bash --posix -c '. nosuch; echo never' bash 2>&1; echo $?
