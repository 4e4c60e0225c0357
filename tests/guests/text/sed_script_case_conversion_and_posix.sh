cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s 's/b*/x/2'
s '--posix' 's/b\+/x/'
s 's/./\U&/;s/B/\l&x/;s/c/\uabc/'
s 'y/a\nb/x\ty/'
