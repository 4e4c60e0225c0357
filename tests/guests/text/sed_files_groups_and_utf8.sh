cd "$(mktemp -d)" || exit 1
r() { "$@" 2>&1; echo "[$?]"; }
printf 'A\nB\nc\n' > f; printf 'x\ny!\nend' > g; : > e
printf %s $'me@host\n' | r 'sed' '-E' 's/(.*)@(.*)/\2 at \1/'
printf %s $'a,b,c,d\n' | r 'sed' 's/[^,]*,//2'
printf %s $'a\tb\n' | r 'sed' 's/\t/ /g'
printf %s $'a \t b\n' | r 'sed' '-E' 's/\s+/ /g'
printf %s $'café é\n' | r 'sed' 's/é/e/g;s/./[&]/2'
