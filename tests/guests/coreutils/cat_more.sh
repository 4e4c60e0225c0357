cd "$(mktemp -d)" || exit 1
printf 'a\tb\r\n\001\177\351\n\n\n\nend' > f; cat -A f; echo; cat -ns f; echo; cat -vT f; echo; cat -e f; echo; cat f - f < f | wc -c; echo x > g; cat g >> g; echo $?; cat g; mkdir d; cat d; echo $?; cat - < g; printf 'a\nb' > h; cat -n h h; echo; cat -b h h; echo; cat /dev/null; head -c 300000 /dev/zero | cat | wc -c
