exec 2>&1
else
