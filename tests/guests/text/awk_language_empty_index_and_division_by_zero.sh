cd "$(mktemp -d)" || exit 1
g() { printf '%s\n' "${2-}" | awk "$1" 2>&1; echo "[$?]"; }
g 'BEGIN{print index("abc",""); print substr("x",1,-1) "|"; print length(); print length }'
g 'BEGIN { print 1/0 }'
