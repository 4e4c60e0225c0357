exec 2>&1
echo "$(echo a
b
