exec 2>&1
for i in a b; do echo $i
