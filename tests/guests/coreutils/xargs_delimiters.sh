cd "$(mktemp -d)" || exit 1
printf 'a b\0c\0' | xargs -0 -n1; printf 'a,b,c' | xargs -d, -n1; printf 'a\nb c\n' | xargs -d '\n' -n1; printf 'a b\n' | xargs -d ' ' echo; printf 'a\nEND\nb\n' | xargs -E END; printf 'x\n' > f; xargs -a f echo from
