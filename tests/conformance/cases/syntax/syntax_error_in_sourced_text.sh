exec 2>&1
. /dev/stdin <<< 'if true; then'; echo $?
