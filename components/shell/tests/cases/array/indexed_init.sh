a=([5]=five [2]=two six [0]=zero one); for i in "${!a[@]}"; do echo "$i=${a[$i]}"; done
