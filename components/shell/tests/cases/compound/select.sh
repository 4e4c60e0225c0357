printf '2\n9\n1\n' | { PS3='> '; select x in one two; do echo "[$x] $REPLY"; [ "$x" = one ] && break; done; } 2>/dev/null
