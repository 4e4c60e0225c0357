f() { echo 1; }; f; f() { echo 2; }; f; unset -f f; f 2>/dev/null; echo $?
