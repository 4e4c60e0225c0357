cd "$(mktemp -d)" || exit 1
expr 1 + 2; expr 10 / 3; expr 5 '*' 5; expr 2 '>' 1; expr 0; echo $?; expr abc : 'a\(.\)c'; expr length hello; expr substr hello 2 3; expr index hello l; expr 1 / 0; echo $?; expr a = a; expr '' '|' b; factor 12 97; echo 100 | factor; numfmt --to=iec 2048; numfmt --from=iec 2K; numfmt --format='%.2f' 3.14159; expr 1 +; echo $?
