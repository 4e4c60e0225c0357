{ echo a; echo b; } | while read x; do echo "$x$x"; done | { while read y; do echo "[$y]"; done; }
