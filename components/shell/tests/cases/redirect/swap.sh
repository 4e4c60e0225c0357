{ echo out; echo err >&2; } 3>&1 1>&2 2>&3 3>&- 2>/dev/null | cat; f() { echo o; echo e >&2; }; x=$(f 2>&1 >/dev/null); echo "[$x]"
