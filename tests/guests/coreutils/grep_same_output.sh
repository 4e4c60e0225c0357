cd "$(mktemp -d)" || exit 1
printf 'foo\n' > a; grep foo * > out; echo $?; cat out; cat a | grep -H foo - > o2; cat o2
