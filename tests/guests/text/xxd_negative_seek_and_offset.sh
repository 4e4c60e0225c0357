cd "$(mktemp -d)" || exit 1
r() { "$@" 2>&1; echo "[$?]"; }
printf 'Hello, World! This is text\n\0\001\377' > x1
r 'xxd' '-p' 'x1'
r 'xxd' '-a' '-l' '3' '/dev/null'
r 'xxd' '-s' '-5' 'x1'
r 'xxd' '-o' '16' 'x1'
