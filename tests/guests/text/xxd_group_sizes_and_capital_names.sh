cd "$(mktemp -d)" || exit 1
r() { "$@" 2>&1; echo "[$?]"; }
printf 'Hello, World! This is text\n\0\001\377' > x1
r 'xxd' '-g' '0' 'x1'
r 'xxd' '-c' '300' 'x1'
r 'xxd' '-C' '-i' 'x1'
r 'xxd' '-d' 'x1'
