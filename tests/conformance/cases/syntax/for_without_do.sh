exec 2>&1
for x in a b; echo $x; done
