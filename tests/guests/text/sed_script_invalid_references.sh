cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s 't;s/a/b/;ta;s/b/c/;:a'
s 's/a/\xg/'
s 's/\(b\)/\2/'
s 's/\(/x/'
