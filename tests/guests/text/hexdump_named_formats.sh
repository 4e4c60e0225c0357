cd "$(mktemp -d)" || exit 1
r() { "$@" 2>&1; echo "[$?]"; }
printf 'Hello, World! This is text\n\0\001\377' > x1
r 'hexdump' 'x1'
r 'hexdump' '-C' 'x1'
r 'hexdump' '-c' 'x1'
r 'hexdump' '-b' 'x1'
r 'hexdump' '-d' 'x1'
