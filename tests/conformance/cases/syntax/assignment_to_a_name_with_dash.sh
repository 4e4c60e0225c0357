exec 2>&1
a-b=3; echo $?
