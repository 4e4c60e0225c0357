exec 2>&1
for ((i=0;i<3)); do echo $i; done
