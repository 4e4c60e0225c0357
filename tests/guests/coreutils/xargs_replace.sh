cd "$(mktemp -d)" || exit 1
printf 'a b\n  c\n' | xargs -I{} echo '[{}]'; printf 'x\ny\n' | xargs -I% echo %-%; printf '1\n2\n' | xargs -i echo n{}; printf 'a\n' | xargs -I {} sh -c 'echo {} | tr a-z A-Z'; printf "it's\n" | xargs -I{} echo {} 2>/dev/null; echo $?
