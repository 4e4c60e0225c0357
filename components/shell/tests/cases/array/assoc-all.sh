# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
declare -A m=([a]=1 ["b c"]=2 [d]=3); for k in "${!m[@]}"; do echo "$k=${m[$k]}"; done | sort; echo ${#m[@]} ${m[b c]}; unset 'm[a]'; [[ -v m[a] ]] || echo gone; m[x]+=5; m+=([y]=6 [z]=7); echo "${m[@]}" | tr ' ' '\n' | sort
END_OF_SCRIPT
)
bash -c "$script" 2>&1
