exec 2>&1
[[ -z == -z ]]
