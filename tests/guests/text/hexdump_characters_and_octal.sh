cd "$(mktemp -d)" || exit 1
r() { "$@" 2>&1; echo "[$?]"; }
printf 'Hello, World! This is text\n\0\001\377' > x1
r 'hexdump' '-v' '-e' '1/1 "%c"' 'x1'
r 'hexdump' '-C' '-n' '16' 'x1'
r 'hexdump' '-s' '10' 'x1'
r 'hexdump' '-ve' '1/1 "%.2x"' 'x1'
r 'hexdump' '-e' '8/1 "%03o " "\n"' 'x1'
