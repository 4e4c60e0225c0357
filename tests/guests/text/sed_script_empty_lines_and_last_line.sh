cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s 's/$/\r/'
s '/^$/d'
s '-E' 's/[^b]//2'
s '$d'
