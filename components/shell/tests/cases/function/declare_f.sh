f() { echo a; if true; then echo b; fi; for i in 1 2; do echo $i; done; }
declare -f f
type f
