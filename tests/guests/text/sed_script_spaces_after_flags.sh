cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s 's/a/b/ ; s/b/c/'
s 's/a/b/g p'
s '1 d'
s '1,2 p' '-n'
