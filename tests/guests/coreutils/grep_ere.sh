cd "$(mktemp -d)" || exit 1
printf 'a\nab\nabb\nab+\na{2}\naa\n(x)\nfoo\nbar\n' > f; g() { echo "-- $1"; grep -nE -e "$1" f; }; g 'ab+$'; g 'ab?$'; g '^ab{2}$'; g 'a\{2'; g 'foo|bar'; g '^(foo|bar)$'; g '(a)\1'; g '\(x\)'; g 'a{,2}$'; g 'b+\+'; g 'a|b|'; g '^(a|ab)(b|)$'; egrep -c 'o{2}' f
