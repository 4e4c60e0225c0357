exec 2>&1
while true; do done
