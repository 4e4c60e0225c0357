cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s 's/b|*a/x/' '-E'
s 's/^*a/x/' '-E'
s 's/a)/x/' '-E'
s 's/a{x/y/' '-E'
