cd "$(mktemp -d)" || exit 1
r() { "$@" 2>&1; echo "[$?]"; }
printf 'Hello, World! This is text\n\0\001\377' > x1
r 'hexdump' '-e' '2/2 "%u " "\n"' 'x1'
r 'hexdump' '-n' '5' '-e' '5/1 "%c" "\n"' 'x1'
