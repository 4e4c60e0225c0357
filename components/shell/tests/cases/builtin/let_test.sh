let a=1 b=a+1; echo $a $b; let "c = a == 1"; echo $c; (( d = (a + b) * 2 )); echo $d
