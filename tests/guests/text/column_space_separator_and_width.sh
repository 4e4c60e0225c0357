cd "$(mktemp -d)" || exit 1
r() { "$@" 2>&1; echo "[$?]"; }
printf 'a b c\nfoo bar baz\nx\n' > c1
r 'column' '-t' '-s' ' ' 'c1'
r 'column' '-t' '-c' '20' 'c1'
