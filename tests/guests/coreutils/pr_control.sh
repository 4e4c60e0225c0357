cd "$(mktemp -d)" || exit 1
printf 'a\001b\177\200\n' > f; pr -t -c f; pr -t -v f; pr -t -c -2 -w 10 f; pr -t -v -W 6 f; pr -t f | od -c; printf 'a\tb\n' | pr -t -c | od -c
