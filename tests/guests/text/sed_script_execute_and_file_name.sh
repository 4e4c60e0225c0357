cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s '2e echo two'
s 's/b/echo hi/e'
s 'F'
s '1d;=;'
