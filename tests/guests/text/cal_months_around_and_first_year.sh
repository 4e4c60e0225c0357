cd "$(mktemp -d)" || exit 1
r() { "$@" 2>&1; echo "[$?]"; }
r 'cal' '-A' '1' '-B' '1' '3' '2024'
r 'cal' '-y' '2023'
r 'cal' '-m' '3' '2024'
r 'cal' '1' '1'
