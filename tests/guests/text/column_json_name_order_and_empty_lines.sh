cd "$(mktemp -d)" || exit 1
r() { "$@" 2>&1; echo "[$?]"; }
printf 'a b c\nfoo bar baz\nx\n' > c1
r 'column' '-t' '-n' 'tbl' '-J' '-N' 'a,b,c' 'c1'
r 'column' 'nofile'
r 'column' '-t' '-O' '2,1' '-N' 'A,B,C' 'c1'
printf %s $'a b\n\nc d\n' | r 'column' '-t' '-L'
