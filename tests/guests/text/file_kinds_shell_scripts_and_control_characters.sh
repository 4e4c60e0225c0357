cd "$(mktemp -d)" || exit 1
printf 'a b c\nfoo\n' > c1; printf '\0\001\377' > x1; mkdir td; ln -s c1 link
printf '#!/bin/sh\n' > t.sh; file t.sh
printf '#!/bin/bash -e\n' > t.bash; file t.bash
printf 'import os\nimport sys\n' > i.py; file i.py
printf "x"; print ""}' > long; file long
printf 'a\n\033[1mb\n' > esc; file esc
printf 'a\rb\n' > mix; file mix
