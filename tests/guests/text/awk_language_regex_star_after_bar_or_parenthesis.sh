cd "$(mktemp -d)" || exit 1
g() { printf '%s\n' "${2-}" | awk "$1" 2>&1; echo "[$?]"; }
g '/a|*b/{print "ok"}' '*b'
g '/(*b)/{print "ok"}' '*b'
