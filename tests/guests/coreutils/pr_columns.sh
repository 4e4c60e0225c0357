cd "$(mktemp -d)" || exit 1
seq 40 > f; pr -t -3 f; pr -t -4 -a f | tail -3; pr -2 -l 4 -t f | head -5; pr -t -3 -w 20 f | head -2; pr -t -12 f | head -2; pr -t --columns=2 -W 30 f | tail -1; pr -t -1 -2 f | head -1; seq 5 | pr -t -3; seq 2 | pr -t -5
