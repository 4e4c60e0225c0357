cd "$(mktemp -d)" || exit 1
printf 'abab\nabba\naa bb\nhello\nabcabc\n' > f; grep '\(ab\)\1' f; grep -E '(.)(.)\2\1' f; grep -E '(l)\1' f; grep -E '^(a|b)\1 (a|b)\2$' f; grep -o '\(.\)\1' f; grep -ic '\(L\)\1' f; grep -w '\(a\)\1' f; grep -e '\(l\)\1' -e '\(b\)\1' f
