# `m=( … )` is computed from the old array, `m+=( … )` element by element; a tilde in it is only text.
declare -A m=([a]=1 [b]=2); m=([a]=${m[b]} [b]=${m[a]} [c]=${#m[@]} [d]=${#m[@]}); declare -p m
declare -A m=([a]=1 [b]=2); m+=([c]=${#m[@]} [d]=${#m[@]} [a]+=${m[c]}x); declare -p m
declare -A m=([k]=1); m+=([${m[k]}]=q [${m[1]}]=r); declare -p m
declare -A m=([a]=1); m=([a]+=4); declare -p m; m=([a]=1 [a]+=4); declare -p m
declare -iA n=([a]=3); n=([a]+=4); declare -p n; n+=([a]+=4 [a]+=2); declare -p n
declare -A m=([7]=~ [x]=~/a:~); declare -p m; m[y]=~; [ "${m[y]}" = ~ ] && echo expanded
declare -A m=(); m=(a b c); declare -p m; m+=(q w [e]=r); declare -p m
f() { local -A m=([${m[k]}]=${m[k]}z); declare -p m; }; declare -A m=([k]=8); f; declare -p m
