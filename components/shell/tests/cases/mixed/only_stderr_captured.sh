out=$( { echo o; echo e >&2; } 2>&1 1>/dev/null ); echo "[$out]"; { read -r a; read -r b; } < <(echo 1; echo 2); echo $a$b
