cd "$(mktemp -d)" || exit 1
r() { "$@" 2>&1; echo "[$?]"; }
printf 'A\nB\nc\n' > f; printf 'x\ny!\nend' > g; : > e
printf %s $'x x x\n' | r 'sed' '-E' 's/(^| )x/\1y/g'
printf %s $'foo foobar foo\n' | r 'sed' 's/\bfoo\b/bar/g'
printf %s $'/usr/lib/usr\n' | r 'sed' 's#/usr#/opt#g'
printf %s $'ab a\n' | r 'sed' '-E' 's/(a)(b)?/[\1|\2]/g'
printf %s $'xxxxx x xx\n' | r 'sed' 's/x\{2,3\}/Y/g'
