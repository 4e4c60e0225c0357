exec 2>&1
for ((i=0;i<3;i++)); do ((i==1)) && continue; echo $i; done; for ((;;)); do break; done; i=5; while ((i-->3)); do echo w$i; done; until ((i>5)); do ((i++)); done; echo $i; for x in; do echo n; done; for x; do echo $x; done; for i in 1 2 3; do for j in a b; do [[ $j == b ]] && continue 2; echo $i$j; done; done
