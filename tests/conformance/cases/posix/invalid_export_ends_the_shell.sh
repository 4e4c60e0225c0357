exec 2>&1
set -o posix; export 1a=2; echo no
