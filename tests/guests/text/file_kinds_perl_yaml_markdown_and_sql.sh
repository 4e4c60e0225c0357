cd "$(mktemp -d)" || exit 1
printf 'a b c\nfoo\n' > c1; printf '\0\001\377' > x1; mkdir td; ln -s c1 link
printf 'hello world' > nn; file nn
printf '#!/usr/bin/perl -w\n' > pl; file pl
printf 'def f(x):\n    return x\n\nimport os\n' > d.py; file d.py
printf -- '---\na: 1\n' > y.yaml; file y.yaml
printf '# Title\n\ntext\n' > r.md; file r.md
printf 'CREATE TABLE x(a int); \n' > q.sql; file q.sql
