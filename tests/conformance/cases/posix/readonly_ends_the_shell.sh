exec 2>&1
set -o posix; f() { echo f; }; x=1 f; echo ${x-unset}; export -p | head -1; set -o | grep posix; echo $POSIXLY_CORRECT; unset -f f; type cd; readonly r=1; r=2; echo notreached
