export A=1 B; B=2; C=3; sh -c 'echo $A $B [$C]'; export -n A; sh -c 'echo [$A]'; export C; sh -c 'echo $C'; D=4 sh -c 'echo $D'; echo [$D]; export E="x y"; export -p | grep ' E='
