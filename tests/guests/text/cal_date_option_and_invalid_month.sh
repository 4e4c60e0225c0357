cd "$(mktemp -d)" || exit 1
r() { "$@" 2>&1; echo "[$?]"; }
r 'cal' '-d' '2024-06'
r 'cal' '-j' '2024'
r 'cal' '1753'
r 'cal' 'x' '2024'
