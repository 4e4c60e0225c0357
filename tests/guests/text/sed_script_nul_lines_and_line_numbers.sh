cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s '-z' 's/\n/,/g'
s '-z' '$!d'
s '-n' '$='
s '-n' '/a/='
