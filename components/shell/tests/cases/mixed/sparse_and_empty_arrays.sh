a=(); a[2]=x; a[0]=y; echo "${a[@]}" ${#a[@]}; for i in "${!a[@]}"; do echo $i; done; echo "${a[1]-unset}" "${a[@]+set}"; b=(); echo "${b[@]+set}" "${b[@]-none}"
