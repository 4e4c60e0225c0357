cd "$(mktemp -d)" || exit 1
seq 3 | pr -t; seq 3 | pr -t -; seq 3 > f; seq 4 5 | pr -t f - f; pr -t < /dev/null; pr -D d < /dev/null; printf 'no newline' | pr -t; printf '\n\n' | pr -t | wc -l; pr -t f -2 -- f; pr -D d -l 11 f f | grep Page; seq 3 | pr -D d -l 11 | sed -n 3p
