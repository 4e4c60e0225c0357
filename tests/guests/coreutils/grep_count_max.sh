cd "$(mktemp -d)" || exit 1
printf 'a\na\nb\na\n' > f; grep -m2 a f; grep -m1 -c a f; grep -c b f; grep -cv a f; grep -m0 a f; echo $?; printf 'a\nb\na\n' | grep -m1 a; printf '1\n2\n3\n' | (grep -q 1; echo $?)
