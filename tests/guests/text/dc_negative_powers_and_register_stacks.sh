cd "$(mktemp -d)" || exit 1
d() { dc -e "$1" 2>&1; echo "[$?]"; }
d '3 _2 ^ p'
d '5k 3 _2 ^ p'
d '1 Sa 2 Sa La p La p'
d 'La'
d '[q]x 5 p'
d $'# comment\n5 p'
d '1 1 !=a 5p'
d '100 99 98 !<a f'
d '8 o 64 p'
d '2o 5 p'
