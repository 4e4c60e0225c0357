[[ 5 -gt 3 ]] && echo 1; [[ 1+1 -eq 2 ]] && echo 2; x=3; [[ x -le 3 ]] && echo 3; [[ 010 -eq 8 ]] && echo 4
