cd "$(mktemp -d)" || exit 1
r() { "$@" 2>&1; echo "[$?]"; }
r 'cal' '2' '2024'
r 'cal' '2024'
r 'cal' '-3' '1' '2024'
r 'cal' '-j' '2' '2024'
