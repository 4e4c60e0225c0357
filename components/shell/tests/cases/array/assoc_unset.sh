declare -A m=([a]=1 [b]=2); unset 'm[a]'; echo ${!m[@]}; m+=([c]=3); echo ${#m[@]}; [[ -v m[c] ]] && echo has; [[ -v m[zz] ]] || echo hasnt
