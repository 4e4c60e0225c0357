cd "$(mktemp -d)" || exit 1
printf 'a b c\nfoo\n' > c1; printf '\0\001\377' > x1; mkdir td; ln -s c1 link
printf '#!/usr/bin/env python3\n' > t.py; file t.py
printf '{"a":1}' > t.json; file t.json
printf '<?xml version="1.0"?><a/>' > t.xml; file t.xml
printf '<html></html>' > t.html; file t.html
printf '\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x20\x08\x06\0\0\0' > t.png; file t.png
printf 'GIF89a\x10\0\x20\0' > t.gif; file t.gif
