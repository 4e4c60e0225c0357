cd "$(mktemp -d)" || exit 1
b() { printf '%s\n' "$1" | bc ${2-} 2>/dev/null; echo "[$?]"; }
b '3 = 4'
b $'scale = 4\n5/3\nscale = 0\n5/3'
b '2*(3+4'
