f() { echo "$@" | while read -r a b; do echo "$b:$a"; done; }; f 1 2; x=$(f 3 4 | cat); echo $x
