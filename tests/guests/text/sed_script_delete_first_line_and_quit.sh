cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s 'D'
s '1!{$!d}'
s '-n' '2{p;q}'
s 'y/ab'
