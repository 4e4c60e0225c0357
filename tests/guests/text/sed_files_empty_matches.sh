cd "$(mktemp -d)" || exit 1
r() { "$@" 2>&1; echo "[$?]"; }
printf 'A\nB\nc\n' > f; printf 'x\ny!\nend' > g; : > e
printf %s $'a|b\n' | r 'sed' '--posix' 's/a\|b/X/'
printf %s $'abc\n' | r 'sed' '-E' 's/a|b|//g'
printf %s $'baac\n' | r 'sed' 's/\(a*\)*/x/g'
printf %s $'abc\n' | r 'sed' 's/b*/X/g'
printf %s $'abcd\n' | r 'sed' '-E' 's/(b|c)*/X/g'
