cd "$(mktemp -d)" || exit 1
printf 'a\n' | xargs sh -c 'cat; echo done'; printf '1\n2\n3\n' | xargs -n1 sh -c 'read x; echo "[$x]$0"'
