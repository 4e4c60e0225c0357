{ echo out; echo err >&2; } 2>&1 > f | sed 's/^/p:/'; cat f
