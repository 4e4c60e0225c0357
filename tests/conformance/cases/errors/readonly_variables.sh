exec 2>&1
readonly r=1; r=2; echo after; r=3 true; echo $?; unset r; echo $?; export r=5; declare r=6; echo $?; local x; echo $?; readonly -a arr=(1); arr[0]=2; echo $?; (r=9; echo no); echo $?; for r in 1; do echo no; done; echo $?; read r <<< x; echo $?; ((r++)); echo $?
