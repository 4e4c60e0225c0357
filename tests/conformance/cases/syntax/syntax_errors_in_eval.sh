exec 2>&1
eval 'if'; echo $?; eval 'echo "'; echo $?; eval ')'; echo $?
