cd "$(mktemp -d)" || exit 1
r() { "$@" 2>&1; echo "[$?]"; }
printf 'Hello, World! This is text\n\0\001\377' > x1
r 'xxd' '-cols' '4' 'x1'
r 'xxd' '-s' '+3' '-l' '2' 'x1'
r 'xxd' '-b' 'x1'
r 'xxd' 'x1' 'out1'
