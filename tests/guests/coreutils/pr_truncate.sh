cd "$(mktemp -d)" || exit 1
printf 'short\na long line that does not fit its column at all\n\ttab\nlast  \n' > f; pr -t -2 -w 30 f; pr -t -2 -w 30 -J f; pr -t -W 10 f; pr -t -W 10 -J f; pr -t -w 10 f; pr -t -2 -a -w 20 f; pr -t -3 -w 4 f; echo $?
