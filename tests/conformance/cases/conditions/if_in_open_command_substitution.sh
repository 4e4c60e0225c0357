exec 2>&1
x=$(if
