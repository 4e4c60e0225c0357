cd "$(mktemp -d)" || exit 1
printf 'a\n\nb\n' > f; nl f; nl -ba f; echo abcdefghij | fold -w4; echo 'the quick brown fox' | fold -s -w10; printf 'a b\nc d\n' | fmt; printf 'a\tb\n' | expand; printf '        x\n' | unexpand | cat -A; printf 'a\tb\n' | expand -t4
