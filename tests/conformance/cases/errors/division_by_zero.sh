exec 2>&1
((1/0)); echo $?; let 1/0; echo $?; let "x=1 2"; echo $?; a[1/0]=3; echo $?; declare -i n=1/0; echo $?; [[ 1/0 -eq 1 ]]; echo $?; [[ x -eq 0 ]]; echo $?; echo ${a[1/0]}; echo $?; for ((i=1/0;;)); do :; done; echo $?
