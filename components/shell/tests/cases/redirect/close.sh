cat 2>&- < /dev/null; echo $?; echo x >&- 2>/dev/null; echo $?
