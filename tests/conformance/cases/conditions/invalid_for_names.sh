exec 2>&1
for "x" in a; do echo $x; done; for x-y in a; do :; done; echo $?; set -o posix; for 1x in a; do :; done; echo no
