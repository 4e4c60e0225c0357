cd "$(mktemp -d)" || exit 1
printf 'a\na\nb\na\n' > f; uniq f; uniq -c f; uniq -d f; uniq -u f; printf 'A\na\n' | uniq -i; printf 'x 1\ny 1\n' | uniq -f1; printf 'ab1\nab2\n' | uniq -w2; sort f | uniq -c | sort -rn; uniq -D f
