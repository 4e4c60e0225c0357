cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s 'y/a\/b/x|y/'
s 's/b/&\&\x26/'
s 's/b/\cA/'
s 's/b/[\n]/'
