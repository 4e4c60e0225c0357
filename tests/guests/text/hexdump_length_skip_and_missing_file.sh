cd "$(mktemp -d)" || exit 1
r() { "$@" 2>&1; echo "[$?]"; }
printf 'Hello, World! This is text\n\0\001\377' > x1
r 'hexdump' '-n' '4' '-s' '2' '-C' 'x1'
r 'hexdump' '-e' '1/2 "%d\n"' 'x1'
r 'hexdump' '-e' '/1 "%_u "' 'x1'
r 'hexdump' '-C' '/dev/null'
r 'hexdump' 'nofile'
