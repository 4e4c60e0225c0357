cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s 'v 9.0'
s '-s' 'x;G'
s '-E' 's/(a)|b/[\1]/'
s 'a foo' '-n'
