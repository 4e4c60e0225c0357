cd "$(mktemp -d)" || exit 1
seq 5 > f; pr -t -n f; pr -t -n:3 f; pr -t -n2 -N 98 f; pr -t -2 -n f; pr -t -2 -n: -s, f; pr -t -3 -n2 -w 40 f; pr -t -n -N 7 +2 -l 2 f; pr -t -n +2 -l 2 f; pr -t -N -1 -n f f; pr -t -n -o 3 f; pr -t -2 -a -n3 f
