(echo ${x!y}) 2>/dev/null; echo $?
