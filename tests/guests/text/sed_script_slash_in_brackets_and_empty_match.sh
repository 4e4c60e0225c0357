cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s $'s/b/x\ny/'
s 's/[/]/x/'
s 's/b/\//'
s 's/x*/-/g'
