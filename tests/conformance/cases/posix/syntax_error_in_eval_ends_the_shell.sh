exec 2>&1
set -o posix; echo a > /nonexist/x; echo yes; eval 'if'; echo no
