cd "$(mktemp -d)" || exit 1
r() { "$@" 2>&1; echo "[$?]"; }
printf 'Hello, World! This is text\n\0\001\377' > x1
r 'xxd' '-n' 'name' '-i' 'x1'
r 'xxd' '-c' '0' '-p' 'x1'
r 'xxd' '-g' '4' 'x1'
r 'xxd' '-c' '3' 'x1'
