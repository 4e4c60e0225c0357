echo "x" >&2 2>/dev/null; echo y 1>&2 2>/dev/null; { echo a >&3; } 3>&1; { echo b >&3; } 3>&1 | cat; exec 3>&1; echo c >&3
