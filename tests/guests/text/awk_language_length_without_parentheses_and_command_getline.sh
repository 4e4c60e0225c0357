cd "$(mktemp -d)" || exit 1
g() { printf '%s\n' "${2-}" | awk "$1" 2>&1; echo "[$?]"; }
g 'BEGIN{print length "x"; print substr("hello", 2, 3) length("abc")}'
g 'BEGIN{"echo a" " b" | getline x; print x; while (("echo 1; echo 2" | getline l) > 0) print l}'
