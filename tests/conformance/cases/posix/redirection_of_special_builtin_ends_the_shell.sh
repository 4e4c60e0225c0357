exec 2>&1
set -o posix; : > /nonexist/x; echo no
