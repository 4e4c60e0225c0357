cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s 'N;N;s/.\'\''/X/mg'
s 'N;l;D'
s '-E' 's/(^|b)/x/g'
s 's/\(^\|b\)/x/g'
