cd "$(mktemp -d)" || exit 1
r() { "$@" 2>&1; echo "[$?]"; }
printf 'A\nB\nc\n' > f; printf 'x\ny!\nend' > g; : > e
r 'sed' '-n' '$=' 'f' 'g'
r 'sed' '-s' '-n' '$=' 'f' 'g'
r 'sed' '-n' '$p' 'f' 'e' 'g' 'e'
r 'sed' '1d' 'f' 'g'
r 'sed' '-s' '1d' 'f' 'g'
