exec 2>&1
set -v; echo a
echo b; set +v
echo c
