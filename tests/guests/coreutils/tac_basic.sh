cd "$(mktemp -d)" || exit 1
printf 'a\nb\nc\n' | tac; printf 'a\nb' | tac; echo; printf 'a,b,c,' | tac -s ,; echo; printf 'a\nb\n' > f; tac f f; tac nope; echo $?; printf '1\n2\n' | tac -b | od -c | head -1
