f() { echo "f:$v:$1"; }; v=5; a=(x y); { f 1; echo "${a[1]}"; } | { f 2; cat; } | cat
