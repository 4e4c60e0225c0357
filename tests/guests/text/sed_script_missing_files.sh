cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s '2r /nonexistent'
s 'R /nonexistent'
s '-f' '/nonexistent'
s 'p' '/nonexistent'
