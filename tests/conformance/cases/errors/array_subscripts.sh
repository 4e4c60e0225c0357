exec 2>&1
a=(1 2); echo ${a[x]} ${a[-3]}; a[-5]=1; echo $?; declare -A m; m[]=1; echo $?; echo ${m[]}; echo ${a[]}; unset a[9]; echo $?; a[1.5]=2; echo $?; echo ${a[@]:1:-1}; echo ${#a[9]} ${a[9]-unset}; b=([0]=x [5]=y z); echo ${!b[@]} ${b[@]}; c=(["a"]=1); declare -p c; declare -A d=(k1 v1 k2 v2); declare -p d; d=([x]=1 y); declare -p d
