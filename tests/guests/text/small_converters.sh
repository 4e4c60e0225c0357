# dos2unix, unix2dos, sponge and uuidgen, for which this machine has no real programs
printf 'a\r\nb\rc\n' | dos2unix | od -An -c; printf 'a\nb\r\n' | unix2dos | od -An -c
printf 'a\r\n' > f; dos2unix f; od -An -c f; unix2dos -q f; od -An -c f; dos2unix -n f g 2>/dev/null; od -An -c g; printf '\0\r\n' > b; dos2unix b 2>/dev/null; od -An -c b; dos2unix nofile; echo $?
printf '3\n1\n2\n' > n; sort n | sponge n; cat n; echo 4 | sponge -a n; tail -n 2 n; echo x | sponge
uuidgen | grep -cE '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$'; uuidgen -C 3 | sort -u | wc -l
