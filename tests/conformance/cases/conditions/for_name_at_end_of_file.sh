exec 2>&1
for x
