cd "$(mktemp -d)" || exit 1
g() { printf '%s\n' "${2-}" | awk "$1" 2>&1; echo "[$?]"; }
g 'BEGIN{printf "%s %s\n", 1e6, 0.1+0.2; printf "%5.2s|%.3d|%e|%E|%g|%G|%a\n", "abc", 5, 12345.678, 12345.678, 1e-10, 1e20, 1}'
g 'BEGIN{printf "%d %d %d", "0x1A", 0x1A, "1e3"; print 011, "011"+0; printf "%o %X %u %#x %#o\n", 8, 255, -1, 255, 8}'
