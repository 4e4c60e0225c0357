exec 2>&1
f() { }
