sleep 0 & wait; echo $?; (exit 3) & wait $!; echo $?; { echo bg; } & wait; echo done
