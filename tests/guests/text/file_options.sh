cd "$(mktemp -d)" || exit 1
printf 'a b c\nfoo\n' > c1; printf '\0\001\377' > x1; mkdir td; ln -s c1 link
printf '{"a":1}' > t.json
file c1 x1 td link nofile
file -b c1 x1
file -i c1 x1 td t.json
file --mime-type c1 t.json
file --mime-encoding c1
file -N c1
file -F= c1
file -L link
cat c1 | file -
