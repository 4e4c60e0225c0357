exec 2>&1
1=2; echo $?
