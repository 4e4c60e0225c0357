set -E
trap 'echo "err $?"' ERR
trap 'echo "exit $?"' EXIT
trap 'echo term; false; echo "still"' TERM
kill -TERM $$
set -e
trap 'echo usr; false; echo "not reached"' USR1
bash -c "kill -USR1 $$"
echo no
