cd "$(mktemp -d)" || exit 1
r() { "$@" 2>&1; echo "[$?]"; }
printf 'a b c\nfoo bar baz\nx\n' > c1
r 'column' '-t' 'c1'
r 'column' 'c1'
printf %s $'a:bb:c\nddd::f\n' | r 'column' '-t' '-s' ':' '-o' ' | ' '/dev/stdin'
r 'column' '-t' '-N' 'A,B,C' 'c1'
