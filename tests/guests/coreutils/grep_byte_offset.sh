cd "$(mktemp -d)" || exit 1
printf 'abc\ndef\nabc\n' > f; grep -b abc f; grep -bo bc f; grep -nb def f; grep -HT def f | cat -A
