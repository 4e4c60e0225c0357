exec 2>&1
set -o posix; for i in 1; do break 2; done; cd() { echo mycd; }; cd; echo() { printf 'e %s\n' "$@"; }; echo hi; set() { :; }; echo no
