cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s 'p;p;a hello\tworld\nx'
s $'1a\\  hi\\\n  there'
s $'1a\\\n  hi\\tq'
s '1a'
