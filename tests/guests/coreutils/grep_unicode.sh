cd "$(mktemp -d)" || exit 1
printf 'caf\303\251\n\303\211T\303\211\nna\303\257ve\n' > f; grep -i "$(printf '\303\251')" f; grep -o 'f.$' f; grep -c '^.\{4\}$' f; grep -w caf f; echo $?; grep -o '[[:alpha:]]*' f; grep 'na.ve' f
