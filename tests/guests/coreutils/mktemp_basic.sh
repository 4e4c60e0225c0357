cd "$(mktemp -d)" || exit 1
f=$(mktemp); test -f "$f" && echo file; stat -c %a "$f"; d=$(mktemp -d); test -d "$d" && echo dir; stat -c %a "$d"; mktemp -p . x.XXXX | grep -c '^./x[.]....$'; mktemp -u -p . yXXXXXX | wc -c; mktemp bad; echo $?; t=$(mktemp --suffix=.txt -p .); case $t in *.txt) echo suffix;; esac; mktemp -t fooXXXX | grep -c /tmp/foo; rm -rf "$f" "$d"
