cd "$(mktemp -d)" || exit 1
r() { "$@" 2>&1; echo "[$?]"; }
printf 'A\nB\nc\n' > f; printf 'x\ny!\nend' > g; : > e
r 'sed' '$r g' 'f'
r 'sed' '0r f' 'g'
r 'sed' '-n' $'1{W w1\n}' 'f'
r 'sed' '2q' 'f' 'g'
r 'sed' 'p' 'nofile' 'f'
