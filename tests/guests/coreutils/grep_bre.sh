cd "$(mktemp -d)" || exit 1
printf 'a\nab\nabb\nabbb\na+b\na{2}\naa\n(x)\nx|y\n^q\na*b\n' > f; g() { echo "-- $1"; grep -n -e "$1" f; }; g 'ab*$'; g 'ab\+$'; g 'ab\?$'; g 'ab\{2\}$'; g 'ab\{2,\}'; g 'a+b'; g 'a{2}'; g '(x)'; g '\(a\)\1'; g 'x|y'; g 'x\|foo'; g '*b'; g '^^q'; g 'a\*b'; g '^\(ab\|aa\)$'; g 'b$'
