cd "$(mktemp -d)" || exit 1
r() { "$@" 2>&1; echo "[$?]"; }
printf 'Hello, World! This is text\n\0\001\377' > x1
r 'xxd' '-ps' 'x1'
r 'xxd' '-l' '0x10' 'x1'
r 'xxd' '-e' '-g' '2' 'x1'
r 'xxd' '-len' '4' 'x1'
