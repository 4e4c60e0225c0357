{ echo out; echo err >&2; } 2>&1 > f | while read l; do echo "p:$l"; done; cat f
