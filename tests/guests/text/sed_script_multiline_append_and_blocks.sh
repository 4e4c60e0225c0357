cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s 'l 1' '-n'
s $'a\\\nx\\\ny'
s $'/b/{\ns/b/B/\np\n}'
s '/a/{n;d}'
