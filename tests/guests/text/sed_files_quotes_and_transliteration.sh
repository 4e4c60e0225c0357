cd "$(mktemp -d)" || exit 1
r() { "$@" 2>&1; echo "[$?]"; }
printf 'A\nB\nc\n' > f; printf 'x\ny!\nend' > g; : > e
printf %s $'a\r\n' | r 'sed' 's/.$//'
printf %s $'éa\n' | r 'sed' 'y/éa/ae/'
printf %s $'hi\n' | r 'sed' 's/.*/"&"/'
printf %s $'it\'s\n' | r 'sed' 's/'\''/"/g'
printf %s $'abc\n' | r 'sed' 's/a\|b/X/g'
