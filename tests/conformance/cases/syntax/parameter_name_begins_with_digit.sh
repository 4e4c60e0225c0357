exec 2>&1
echo ${1x}; echo after
