cd "$(mktemp -d)" || exit 1
r() { "$@" 2>&1; echo "[$?]"; }
printf 'A\nB\nc\n' > f; printf 'x\ny!\nend' > g; : > e
r 'sed' '-n' '2{g;p}' 'f'
r 'sed' '-n' 'H;x;s/\n/-/g;p;x' 'f'
