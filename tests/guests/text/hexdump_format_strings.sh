cd "$(mktemp -d)" || exit 1
r() { "$@" 2>&1; echo "[$?]"; }
printf 'Hello, World! This is text\n\0\001\377' > x1
r 'hexdump' '-o' 'x1'
r 'hexdump' '-x' 'x1'
r 'hexdump' '-e' '4/1 "%02x " "\n"' 'x1'
r 'hexdump' '-v' '-e' '1/1 "%02x"' 'x1'
r 'hexdump' '-e' '"%08.8_ax  " 8/1 "%02x " "  |"' '-e' '8/1 "%_p" "|\n"' 'x1'
