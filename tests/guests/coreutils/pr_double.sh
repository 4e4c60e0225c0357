cd "$(mktemp -d)" || exit 1
seq 5 > f; pr -t -d f; pr -t -2 -d f; pr -d -l 14 -D d f; pr -2 -d -l 14 -D d f | wc -l; pr -t -3 -a -d f; pr -m -t -d f f | tail -4; printf 'a' | pr -t -d
