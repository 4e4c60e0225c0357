cd "$(mktemp -d)" || exit 1
r() { "$@" 2>&1; echo "[$?]"; }
printf 'a b c\nfoo bar baz\nx\n' > c1
r 'column' '-t' '-R' '1' 'c1'
r 'column' '-J' '-N' 'a,b,c' 'c1'
r 'column' '-t' '-N' 'A,B,C' '-H' 'B' 'c1'
r 'column' '-t' '-l' '2' 'c1'
