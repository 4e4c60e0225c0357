cd "$(mktemp -d)" || exit 1
printf 'abc\ndéf\nxy' | rev; echo; echo 'hello world' | rev; printf '\n\na\n' | rev
printf 'a b\n' > f; rev f f; rev < f; rev nofile 2>&1; echo $?
