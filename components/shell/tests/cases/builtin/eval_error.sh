eval 'echo )' 2>/dev/null; echo $?; eval 'if' 2>/dev/null; echo "$? still"
