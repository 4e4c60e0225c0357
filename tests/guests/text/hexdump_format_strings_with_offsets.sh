cd "$(mktemp -d)" || exit 1
r() { "$@" 2>&1; echo "[$?]"; }
printf 'Hello, World! This is text\n\0\001\377' > x1
r 'hexdump' '-v' '-e' '"x" 1/1 "%_c" "\n"' 'x1'
r 'hexdump' '-v' '-e' '16/1 "%3d" "\n"' 'x1'
r 'hexdump' '-v' '-e' '/1 "%d\n"' '-n' '3' 'x1'
r 'hexdump' '-e' '16/1 "%02X " "\n"' 'x1'
r 'hexdump' '-e' '"%07.7_ad " 4/4 "%08x " "\n"' 'x1'
