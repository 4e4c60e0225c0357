exec 2>&1
f() echo a; f
