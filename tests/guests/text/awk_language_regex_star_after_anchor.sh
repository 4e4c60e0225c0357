cd "$(mktemp -d)" || exit 1
g() { printf '%s\n' "${2-}" | awk "$1" 2>&1; echo "[$?]"; }
g '/^*b/{print "ok"}' '*b'
g '/a\{2/{print "ok"}' 'a{2'
