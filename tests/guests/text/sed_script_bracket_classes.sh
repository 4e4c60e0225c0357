cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s '-n' '/[[:digit:]]/!p'
s 's/[]]/x/;s/[^]]/y/'
s 's/a.*c/x/'
s 'N;s/a.*b/x/'
