cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s '\'
s '1\'
s '/a/Xp'
s 'rfoo'
