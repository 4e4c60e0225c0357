cd "$(mktemp -d)" || exit 1
s() { printf 'a\nb\nc\n' | sed "$@" 2>&1; echo "[$?]"; }
s 's/\</</;s/\>/>/'
s '-E' 's/a{0}/x/'
s '-E' 's/(a|b)+/x/'
s '-E' 's/[[:alpha:]]+/\U&/'
