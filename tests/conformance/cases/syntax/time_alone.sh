exec 2>&1
time; echo $?
