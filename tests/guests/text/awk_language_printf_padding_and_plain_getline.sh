cd "$(mktemp -d)" || exit 1
g() { printf '%s\n' "${2-}" | awk "$1" 2>&1; echo "[$?]"; }
g 'BEGIN { printf "%5c|%-5s|%05d|%+.2e|%x|%X|%o|%%\n", "abc", "ab", 42, 12345.678, 255, 255, 8 }'
g 'BEGIN { getline; print "got " $0; getline x; print "x=" x, NR }' $'l1\nl2'
