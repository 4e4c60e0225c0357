declare -A m; m[a.b]=1; m["x y"]=2; k="a.b"; echo "${m[$k]}" "${m[x y]}"; ((m[$k]++)); echo ${m[a.b]}; for k in "${!m[@]}"; do echo "[$k]=${m[$k]}"; done | sort
