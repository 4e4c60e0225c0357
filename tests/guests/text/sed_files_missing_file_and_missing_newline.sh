cd "$(mktemp -d)" || exit 1
r() { "$@" 2>&1; echo "[$?]"; }
printf 'A\nB\nc\n' > f; printf 'x\ny!\nend' > g; : > e
r 'sed' '-n' 'p' 'f' 'nofile' 'g'
r 'sed' 's/x/y/' 'g'
r 'sed' 'p' 'g'
r 'sed' 'G' 'g'
r 'sed' '=' 'g'
