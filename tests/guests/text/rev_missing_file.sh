cd "$(mktemp -d)" || exit 1
r() { "$@" 2>&1; echo "[$?]"; }
r 'rev' 'nofile'
r 'rev' 'x1'
