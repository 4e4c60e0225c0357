cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s '1,2q'
s 'q5x'
s 'y/abc/xy/'
s 'y/abc/'
