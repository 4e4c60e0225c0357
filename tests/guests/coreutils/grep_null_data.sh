cd "$(mktemp -d)" || exit 1
printf 'a\nb\0c\0' > f; grep -z a f | tr '\0' '|'; echo; grep -zc . f; grep -zx 'c' f | tr '\0' '|'; echo; grep -zv c f | tr '\0' '|'; echo; grep -zo 'b' f | tr '\0' '|'; echo
