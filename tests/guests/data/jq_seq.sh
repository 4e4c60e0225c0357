cd "$(mktemp -d)" || exit 1
printf '\0361\n\036[2]\n' | jq -c --seq . | od -An -c; printf '\036{"a":1}\n\036{"b"\n\0363\n' | jq -c --seq . 2>&1 | tr -d '\036'; echo '[1]' | jq --seq -c . 2>&1
