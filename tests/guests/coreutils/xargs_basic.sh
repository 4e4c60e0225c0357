cd "$(mktemp -d)" || exit 1
printf 'a b\nc\n' | xargs; printf 'a b c\n' | xargs -n1 echo x; seq 5 | xargs -n2; printf 'a b\nc d\n' | xargs -L1 echo; printf "'a b' c\\\\ d \"e f\"\n" | xargs -n1; printf '' | xargs echo none; printf '' | xargs -r echo none; echo a | xargs -t echo 2>&1; printf 'a\n\nb\n' | xargs
