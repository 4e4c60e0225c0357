cd "$(mktemp -d)" || exit 1
d() { dc -e "$1" 2>&1; echo "[$?]"; }
d '10 3 % p'
d '1 2 3 R f'
d '1 :a'
d '7 1 :a 1 ;a p'
d 'K p I p O p'
d '[p]sp 1 lp x'
d '1 1 =a'
d '[[nested]p]x'
d '1 2 3 3 R f'
d '9 v p'
