exec 2>&1
echo $((1+(2))
