cd "$(mktemp -d)" || exit 1
printf 'foo123\nbar\n2024-01-02\nkey=value\n' > f; grep -P '\d+' f; grep -oP '\d{4}(?=-)' f; grep -oP '(?<==)\w+' f; grep -oP 'key=\K.*' f; grep -P '^(?!foo)' f; grep -oP '(\d)\d\1' f; grep -P 'fo{2}\d' f; grep -c -P '\bbar\b' f; grep -Pi 'FOO' f; grep -oP '[a-z]+?' f | head -2
