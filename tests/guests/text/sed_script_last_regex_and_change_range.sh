cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s '-n' '/b/{s//x/p}'
s '/b/I,/C/Ip' '-n'
s $'2c\\\nfoo'
s '1,2c foo'
