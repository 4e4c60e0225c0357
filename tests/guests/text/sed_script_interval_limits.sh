cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s 's/a\{1,99999\}/x/'
s 's/b\{1,/x/'
s 's/b\{a\}/x/'
s 's/a\n/x/' '-z'
