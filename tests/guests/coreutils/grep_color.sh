cd "$(mktemp -d)" || exit 1
printf 'foo bar foo\nx\n' > f; grep --color=always foo f | cat -v; grep --color=always -n foo f f | cat -v; grep --color=always -C1 -n foo f | cat -v; grep --color=always -o bar f | cat -v; grep --color=never foo f; grep --color=always -v foo f | cat -v
