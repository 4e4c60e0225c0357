cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s '--expression=p' '--quiet'
s '1,2!d'
s '-n' '$p;1p'
s 's/b/x/w /dev/stdout'
