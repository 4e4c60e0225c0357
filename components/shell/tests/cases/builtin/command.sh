ls() { echo fake; }; command ls -d /; command echo hi; command -v ls; unset -f ls; command nosuch 2>/dev/null; echo $?; builtin echo b; builtin nosuch 2>/dev/null; echo $?
