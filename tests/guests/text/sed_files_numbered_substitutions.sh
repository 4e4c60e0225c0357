cd "$(mktemp -d)" || exit 1
r() { "$@" 2>&1; echo "[$?]"; }
printf 'A\nB\nc\n' > f; printf 'x\ny!\nend' > g; : > e
printf %s $'ab\n' | r 'sed' 's/$/X/2'
printf %s $'aaaaa\n' | r 'sed' 's/a/X/3g'
printf %s $'banana\n' | r 'sed' '-n' 's/a/X/gp'
printf %s $'banana\n' | r 'sed' '-n' 's/a/X/2p'
printf %s $'a.b*[c]\n' | r 'sed' 's/\./,/;s/\*/+/;s/\[/(/;s/\]/)/'
