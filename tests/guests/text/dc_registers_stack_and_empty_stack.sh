cd "$(mktemp -d)" || exit 1
d() { dc -e "$1" 2>&1; echo "[$?]"; }
d '[1 p] x'
d '5 sa la p la p'
d '3 d * p'
d '1 0 /'
d '+'
d '10 3 ~ f'
d '2 3 r f'
d 'z p 1 2 z p'
d '12345 Z p'
d '1.234 X p'
