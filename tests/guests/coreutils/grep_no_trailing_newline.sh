cd "$(mktemp -d)" || exit 1
printf 'a\nb' | grep b; printf 'a\nb' | grep -c ''; printf '' | grep -c ''; printf '\n' | grep -c '^$'; printf 'a\n\nb\n' | grep -n '^$'; printf 'x' | grep -v y; printf 'a\n' | grep -c 'a*$'
