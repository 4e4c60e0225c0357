cd "$(mktemp -d)" || exit 1
r() { "$@" 2>&1; echo "[$?]"; }
printf 'ab\0hello world\001\002test\0xyz\n\tabcd\n' > s1; printf 'h\0e\0l\0l\0o\0' > w; printf 'caf\303\251 abc\n' > u
printf %s $'abhello world\001\002testxyz\n\tabcd\n' | r 'strings'
r 'strings' '-3' 's1'
r 'strings' '-t' 'o' 's1'
r 'strings' '-s' ',' 's1'
