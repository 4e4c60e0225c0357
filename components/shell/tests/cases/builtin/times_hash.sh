times > /dev/null; echo $?; hash -r; hash 2>/dev/null | head -1; true; ulimit -n > /dev/null; echo $?
