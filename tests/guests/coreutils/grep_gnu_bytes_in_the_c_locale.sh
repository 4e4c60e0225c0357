# In the C locale, characters are bytes; otherwise they are UTF-8.
cd "$(mktemp -d)" || exit 1
printf 'a\200b\n\303\251\nx\n' > b
show() { LC_ALL=C grep "$@" b 2>&1 | od -An -c; }
show .
show -c .
show -o .
show -n 'a.b'
show '[^ -~]'
show -P '[^\x00-\x7F]'
show '^..$'
show '[[:alpha:]]'
show -i 'É'
show $'\303'
show $'[\200\251]'
show -F $'\200'
show -v x
show -w x
printf 'a\0b\n' > nul; LC_ALL=C grep a nul 2>&1; LC_ALL=C grep -a . nul | od -An -c
for l in POSIX C; do LC_ALL=$l grep -c '^..$' b; done
LC_ALL= LC_CTYPE=C grep -c '^..$' b; LC_ALL=C.UTF-8 grep -c '^.$' b
LC_ALL=C.UTF-8 grep . b 2>&1
