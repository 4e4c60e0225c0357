cd "$(mktemp -d)" || exit 1
d() { dc -e "$1" 2>&1; echo "[$?]"; }
d '1 2 + p'
d '5 3 - p'
d '2k 10 3 / p'
d '2 100 ^ p'
d '16o 255 p'
d '16i FF p'
d '2i 1010 p'
d '4k 2 v p'
d '1 2 3 f'
d '[hi] p'
