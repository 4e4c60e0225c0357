cd "$(mktemp -d)" || exit 1
printf 'a\tb\tc\nxoyoz\n        eight\n' > f; pr -t -e f; pr -t -e4 f; pr -t -eo4 f; pr -t -i f | od -c; pr -t -i:4 f; pr -t -2 -i:4 f; pr -t -2 -e4 f; pr -t -2 f | od -c; pr -t -o 10 f; pr -t -o 10 -i f | od -c | head -3; pr -t -n: -e f
