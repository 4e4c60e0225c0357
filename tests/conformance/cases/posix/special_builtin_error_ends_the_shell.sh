exec 2>&1
set -o posix; unset; shift 9; echo after; set -Z; echo no
