cd "$(mktemp -d)" || exit 1
g() { printf '%s\n' "${2-}" | awk "$1" 2>&1; echo "[$?]"; }
g '/*a/{print "ok"}' '*a'
g '/+a/{print "ok"}' '+a'
