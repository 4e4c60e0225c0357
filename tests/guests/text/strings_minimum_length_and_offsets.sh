cd "$(mktemp -d)" || exit 1
r() { "$@" 2>&1; echo "[$?]"; }
printf 'ab\0hello world\001\002test\0xyz\n\tabcd\n' > s1; printf 'h\0e\0l\0l\0o\0' > w; printf 'caf\303\251 abc\n' > u
r 'strings' 's1'
r 'strings' '-n' '3' 's1'
r 'strings' '-t' 'x' 's1'
r 'strings' '-t' 'd' '-n' '3' 's1'
