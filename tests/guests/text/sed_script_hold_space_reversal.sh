cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s '1!G;h;$!d'
s '-n' 'x;p'
s 'G;G'
s '-E' 's/^(.)(.*)$/\2\1/'
