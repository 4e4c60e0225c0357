false; (exit); echo $?; f() { exit; }; (false; f); echo $?; exit 12
