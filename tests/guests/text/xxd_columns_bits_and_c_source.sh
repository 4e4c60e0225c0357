cd "$(mktemp -d)" || exit 1
r() { "$@" 2>&1; echo "[$?]"; }
printf 'Hello, World! This is text\n\0\001\377' > x1
r 'xxd' 'x1'
r 'xxd' '-c' '8' '-g' '1' 'x1'
r 'xxd' '-b' '-c' '4' 'x1'
r 'xxd' '-i' 'x1'
