declare -A m=([apple]=1 [banana]=2 [cherry]=3 [date]=4 [elderberry]=5 [fig]=6); for k in "${!m[@]}"; do echo "$k ${m[$k]}"; done
