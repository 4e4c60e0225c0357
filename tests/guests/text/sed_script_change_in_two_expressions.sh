cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s '1c\' '-e' 'foo'
s 'y///'
s $'s/a/\\\n/'
s 's/\n//'
