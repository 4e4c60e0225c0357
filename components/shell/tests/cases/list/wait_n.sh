(exit 4) & wait -n; echo $?; wait; echo $?; wait 999999 2>/dev/null; echo $?
