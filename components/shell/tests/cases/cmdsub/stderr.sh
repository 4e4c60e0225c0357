x=$(echo o; echo e >&2) 2>/dev/null; y=$(sh -c 'echo o; echo e >&2' 2>&1); echo "$y"
