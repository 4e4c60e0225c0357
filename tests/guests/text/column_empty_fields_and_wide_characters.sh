cd "$(mktemp -d)" || exit 1
r() { "$@" 2>&1; echo "[$?]"; }
printf 'a b c\nfoo bar baz\nx\n' > c1
printf %s $'a,,b\nc,d,e\n' | r 'column' '-s,' '-t'
printf %s $'é,b\nccc,d\n' | r 'column' '-ts,'
printf %s $'a  b\n\nc d\n' | r 'column' '-t'
r 'column' '-t' '-d' '-N' 'A,B,C' 'c1'
