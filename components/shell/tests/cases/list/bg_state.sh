x=5; f() { echo "f $x $1"; }; f arg & wait; a=(1 2); { echo ${a[@]}; x=6; } & wait; echo $x
