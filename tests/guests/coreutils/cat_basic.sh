cd "$(mktemp -d)" || exit 1
printf 'a\tb\n\n\nc' > f; cat f; echo; cat -n f; echo; cat -A f; echo; cat -b f; echo; cat -s f; echo; echo in | cat - f | head -1; cat nope; echo $?; cat f f | wc -l
