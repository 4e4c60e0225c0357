exec 2>&1
set -o posix; echo $(( 1/0 )); echo no
