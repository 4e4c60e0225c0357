cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s '1{p};2{p}' '-n'
s '1{p}2{p}' '-n'
s 'b;p' '-n'
s 'ba;p;:a'
