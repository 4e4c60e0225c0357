cd "$(mktemp -d)" || exit 1
g() { printf '%s\n' "${2-}" | awk "$1" 2>&1; echo "[$?]"; }
g '/a{1/{print "ok"}' 'a{1'
g '/{1}/{print "ok"}' '{1}'
