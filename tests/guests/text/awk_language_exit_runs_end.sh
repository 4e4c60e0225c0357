cd "$(mktemp -d)" || exit 1
g() { printf '%s\n' "${2-}" | awk "$1" 2>&1; echo "[$?]"; }
g 'BEGIN { print "x" ; exit 3 } END { print "end" }'
g 'BEGIN { printf "%d\n", "abc"; printf "%s %s\n", "a" }'
