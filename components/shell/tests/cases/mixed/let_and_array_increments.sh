let i=5 i++; echo $i; i=1; echo $((i++ + ++i)); a=(1 2 3); echo $((a[1]+=5)) ${a[@]}; echo $(( a[0] ? a[2] : 9 ))
