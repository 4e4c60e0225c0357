a=(3 1 2); max=${a[0]}; for v in "${a[@]}"; do (( v > max )) && max=$v; done; echo $max; [[ ${#a[@]} -eq 3 ]] && echo ok
