let x=3+4 y=x*2; echo $x $y; let 'z = x > 5'; echo $z; let 0; echo $?
