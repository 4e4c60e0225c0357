exec 2>&1
declare -A m=([x]=1 [y]="2 3"); m+=([z]=4); for k in "${!m[@]}"; do echo "$k=${m[$k]}"; done | sort; echo "${#m[@]}"; unset 'm[x]'; [[ -v m[x] ]] || echo gone; [[ -v m[y] ]] && echo there; echo "${m[@]@K}" | wc -w; declare -p m | wc -c
