cd "$(mktemp -d)" || exit 1
r() { "$@" 2>&1; echo "[$?]"; }
printf 'A\nB\nc\n' > f; printf 'x\ny!\nend' > g; : > e
printf %s $'abc DEF\n' | r 'sed' '-E' 's/(\w+) (\w+)/\U\1\E \l\2/'
printf %s $'snake_case_name\n' | r 'sed' '-E' 's/_(.)/\U\1/g'
printf %s $'camelCaseName\n' | r 'sed' '-E' 's/([A-Z])/_\l\1/g'
printf %s $'HELLO WORLD\n' | r 'sed' 's/.*/\L\u&/'
printf %s $'xax\n' | r 'sed' 's/a/\n/;P;D'
