cd "$(mktemp -d)" || exit 1
printf 'foo bar\nfoobar\nfoo_bar\nbar foo\nfoo-bar\n' > f; g() { echo "-- $*"; grep -n "$@" f; }; g -w foo; g '\<bar'; g 'foo\>'; g '\bbar\b'; g '\Bbar'; g -w 'fo.'; g -wo 'bar'; g '\wo\W'; g -x 'foo bar'; g -w ''
