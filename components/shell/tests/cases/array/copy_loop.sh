a=(1 2 3); b=("${a[@]}" 4); for ((i=0;i<${#b[@]};i++)); do printf '%s ' "${b[i]}"; done; echo
