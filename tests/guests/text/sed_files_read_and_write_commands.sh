cd "$(mktemp -d)" || exit 1
r() { "$@" 2>&1; echo "[$?]"; }
printf 'A\nB\nc\n' > f; printf 'x\ny!\nend' > g; : > e
r 'sed' 'F' 'g' 'f'
r 'sed' 'w out' 'f'
r 'sed' '-n' $'/2/w o2\ns/3/x/w o3' 'f'
r 'sed' '1r g' 'f'
r 'sed' 'R g' 'f'
