exec 2>&1
a=(1 2
