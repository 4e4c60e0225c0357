x=abcdefgh i=2; echo ${x:i} ${x:i+1:i} ${x:$i:$((i*2))} "${x:(-2)}"
