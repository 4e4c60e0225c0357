exec 2>&1
while; do echo; done
