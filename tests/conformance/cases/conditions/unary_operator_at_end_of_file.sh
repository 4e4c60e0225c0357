exec 2>&1
[[ -n
