exec 2>&1
x="1+1"; echo $((x*2)); y=z z=7; echo $((y)); a[2]=5; echo $((a[1+1]+1)); declare -i n=3+4; echo $n; n+=2; echo $n; n=abc; echo $n; echo $((08)); echo $?
