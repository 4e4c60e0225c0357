cd "$(mktemp -d)" || exit 1
printf 'a\n\fb\nc\n\f\f\nd\n' > f; pr -t f | od -c; pr -T f; pr -t -2 f | od -c; pr -D d -l 12 f | grep -c Page; pr -D d -F -l 13 f | od -c | head -20; seq 4 > g; pr -t -m f g | od -c; printf '1\n2\n\f3\n' | pr -t -l 2 | od -c; printf 'a\fb' | pr -t | od -c; printf '\f' | pr -D d -l 11 | wc -l
