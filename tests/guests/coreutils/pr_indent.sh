cd "$(mktemp -d)" || exit 1
seq 3 > f; pr -o 4 -t f; pr -o 4 -l 13 -D d f | cat -A; pr -o 10 -2 -t f | cat -A; pr -o 3 -n -m -t f f | cat -A; printf '\nx\n' | pr -t -o 2 | cat -A; printf '\nx\n' | pr -t -i -o 9 | cat -A
