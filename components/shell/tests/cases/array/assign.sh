a[3]=d; a[1]=b; echo "${a[@]}" "${!a[@]}"; a+=(e f); echo "${!a[@]}"; a[1]+=x; echo ${a[1]}
