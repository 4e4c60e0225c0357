cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s '5!p' '-n'
s 'p # comment' '-n'
s 'y/abc/\n\t\\/'
s 's/a/b/I;s/b/c/i;s/C/d/M'
