{ echo 2; echo 1; } | sort; for i in 3 1 2; do echo $i; done | sort | while read x; do echo "<$x>"; done; (echo a; echo b) | { read x; echo "got $x"; }
