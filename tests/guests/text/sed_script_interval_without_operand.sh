cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s 's/a{1/y/' '-E'
s 's/{1}/y/' '-E'
s 's/\{1\}/y/'
s 's/a\{1/y/'
