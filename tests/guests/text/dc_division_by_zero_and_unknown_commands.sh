cd "$(mktemp -d)" || exit 1
d() { dc -e "$1" 2>&1; echo "[$?]"; }
d '.5 p'
d '1.50 2 * p'
d '2k 1 3 / 3 * p'
d '20k 2v p'
d 'y'
d '0 5 / p'
d '5 0 % p'
d '_1 v p'
d '1 [2] + p'
d '3 Q 5p'
