# obsolete keys, ignored bytes, the source of randomness
cd "$(mktemp -d)" || exit
exec 2>&1
printf 'aaaa\tb\na\360\237\221\246aa\tb\n' > e; sort -d e | od -c | head -2; sort -i e | od -c | head -2
printf 'b 2 x\na 3 y\nc 1 z\n' > k; sort +1 -2 k; sort +1n k; sort -r +0 -1 k; sort +1.1 k; sort -k 18446744073709551616 k
printf ab > short; sort -R --random-source=short k; sort -R --random-source=nope k
seq 100 > many; head -c 64 /dev/zero > zero; sort -R --random-source=zero many | sort -n | cmp - many && echo same
[ "$(sort -R --random-source=zero many)" = "$(sort -R --random-source=zero many)" ] && echo 'the same each time'
