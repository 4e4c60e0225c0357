exec 2>&1
[[ a == ]]
