cd "$(mktemp -d)" || exit 1
g() { printf '%s\n' "${2-}" | awk "$1" 2>&1; echo "[$?]"; }
g 'BEGIN { x=0; print 1/x }'
g 'BEGIN { x=0; print 5%x }'
