a=("a b" "" c); for i in "${a[@]}"; do echo "[$i]"; done; echo ${#a[@]}; for i in ${a[@]}; do echo "<$i>"; done
