cd "$(mktemp -d)" || exit 1
r() { "$@" 2>&1; echo "[$?]"; }
printf 'A\nB\nc\n' > f; printf 'x\ny!\nend' > g; : > e
printf %s $'a   \n' | r 'sed' 's/[[:space:]]*$//'
printf %s $' \t a\n' | r 'sed' 's/^[ \t]*//'
printf %s $'foobaz barbaz\n' | r 'sed' 's/\(foo\|bar\)baz/<\1>/g'
printf %s $'a ${x} ${yy}\n' | r 'sed' '-E' 's/\$\{([a-z]+)\}/<\1>/g'
printf %s $'hello big world\n' | r 'sed' 's/[a-z]*/\u&/g'
