cd "$(mktemp -d)" || exit 1
r() { "$@" 2>&1; echo "[$?]"; }
printf 'A\nB\nc\n' > f; printf 'x\ny!\nend' > g; : > e
r 'sed' '/^$/N;/\n$/D' 'f'
r 'sed' '-e' ':a' '-e' '$q;N;3,$D;ba' 'f'
r 'sed' '$!N;$!D' 'f'
printf %s $'1234567\n' | r 'sed' '-E' ':a;s/([0-9])([0-9]{3})($|,)/\1,\2\3/;ta'
printf %s $'foo foo foo x\n' | r 'sed' 's/\(.*\)foo/\1bar/'
