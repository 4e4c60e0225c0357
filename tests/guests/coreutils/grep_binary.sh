cd "$(mktemp -d)" || exit 1
printf 'a\0b\nfoo\n' > f; grep foo f; grep -a foo f; grep -c foo f; grep -I foo f; echo $?; printf 'x\377y\n' > g; grep x g; grep -a x g | od -An -c; grep -c x g; grep -l x g; grep --binary-files=text -o y g
