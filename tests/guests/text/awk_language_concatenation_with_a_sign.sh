cd "$(mktemp -d)" || exit 1
g() { printf '%s\n' "${2-}" | awk "$1" 2>&1; echo "[$?]"; }
g 'BEGIN{print 1 " " -1; print 1 -1; x=5; print x -1; print "a" -1; print 2 " " +3; print 1 !2}'
g 'BEGIN { print -1 " " -1 }'
