f() { exit 7; }; (f; echo no); echo $?; x=$(f; echo no); echo "[$x] $?"
