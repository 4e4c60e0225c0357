n=0; while ((n<3)); do ((n++)); [ $n = 2 ] && continue; echo n$n; done; echo "done $n"; for x in $(seq 3); do for y in a b; do [ $x$y = 2a ] && break 2; echo $x$y; done; done
