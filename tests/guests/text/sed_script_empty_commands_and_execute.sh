cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s '{;;p;}' '-n'
s 'p;;p' '-n'
s 's/a/b/;;'
s 'e echo hi'
