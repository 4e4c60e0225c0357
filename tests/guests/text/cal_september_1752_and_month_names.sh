cd "$(mktemp -d)" || exit 1
r() { "$@" 2>&1; echo "[$?]"; }
r 'cal' '9' '1752'
r 'cal' '13' '2024'
r 'cal' 'feb' '2024'
r 'cal' '-1' '5' '2024'
