cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s '-e' 'a\' '-e' 'foo'
s 'a foo\'
s 'a\\foo'
s 'a \  foo'
