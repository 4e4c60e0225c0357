cd "$(mktemp -d)" || exit 1
printf '1 2\n[3]{"a":4}"x"null' | jq -c .; printf '1 2 3' | jq -s add; printf '{"a":1}\n{"a":2}\n' | jq .a; printf '[1][2]' | jq -c '.[0]'; printf '' | jq . ; echo $?; printf '\n\n' | jq -s -c .; printf '1 x 2' | jq . 2>/dev/null; echo $?
