cd "$(mktemp -d)" || exit 1
r() { "$@" 2>&1; echo "[$?]"; }
printf 'A\nB\nc\n' > f; printf 'x\ny!\nend' > g; : > e
r 'sed' 'a z' 'g'
r 'sed' 'i z' 'g'
r 'sed' '$!d' 'g'
r 'sed' '-n' 'x;p' 'g'
r 'sed' 'N;P;D' 'g'
