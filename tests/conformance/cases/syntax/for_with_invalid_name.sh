exec 2>&1
for 1x in a; do echo; done
