cd "$(mktemp -d)" || exit 1
r() { "$@" 2>&1; echo "[$?]"; }
r 'cal' '0'
r 'cal' '10000'
r 'cal' '2' '1900'
r 'cal' '12' '2023'
