cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s 'p' '/tmp'
s '-i' 'p' '/tmp'
s '--sandbox' 'w x'
s '--sandbox' 's/a/b/e'
