cd "$(mktemp -d)" || exit 1
g() { printf '%s\n' "${2-}" | awk "$1" 2>&1; echo "[$?]"; }
g 'BEGIN { if (1) { print "x" }'
g 'BEGIN{ $(-1)="x" }'
