a=(1 2 3); IFS=,; echo "${a[*]}"; unset IFS; echo "${a[*]}"
