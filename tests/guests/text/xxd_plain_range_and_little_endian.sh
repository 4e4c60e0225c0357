cd "$(mktemp -d)" || exit 1
r() { "$@" 2>&1; echo "[$?]"; }
printf 'Hello, World! This is text\n\0\001\377' > x1
r 'xxd' '-p' '-c' '5' 'x1'
r 'xxd' '-s' '3' '-l' '4' 'x1'
r 'xxd' '-e' 'x1'
r 'xxd' 'nofile'
