cd "$(mktemp -d)" || exit 1
seq 2 > a; seq 11 14 > b; pr -m -t a b; pr -m -t -s, a b; pr -m -t -s, b a; pr -m -t -n a b a; pr -m -t -n: -s, a b; pr -m -t -J a b; pr -m -l 13 -D d a b; pr -m -t a nope b 2>&1; echo $?; pr -m -t - - < b; pr -m -2 a; echo $?; pr -m -a a; echo $?
