cd "$(mktemp -d)" || exit 1
d() { dc -e "$1" 2>&1; echo "[$?]"; }
d '[5p 1Q 6p]x 7p'
