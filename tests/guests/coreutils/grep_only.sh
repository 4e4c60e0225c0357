cd "$(mktemp -d)" || exit 1
printf 'abc abd xyz\nnone\nab12cd345\n' > f; grep -o 'ab.' f; grep -on '[0-9]\+' f; grep -ob 'b' f; grep -oE 'a|ab|abc' f; grep -oE '(a|ab)(c|bcd)?' f; grep -o '' f; echo $?; grep -oi 'AB' f; grep -o 'x*' f; printf 'foofoo\n' | grep -o foo
