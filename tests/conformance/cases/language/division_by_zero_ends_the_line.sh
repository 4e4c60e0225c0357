exec 2>&1
echo $((1/0)); echo after $?
