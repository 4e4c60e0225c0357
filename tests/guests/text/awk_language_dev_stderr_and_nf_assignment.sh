cd "$(mktemp -d)" || exit 1
g() { printf '%s\n' "${2-}" | awk "$1" 2>&1; echo "[$?]"; }
g 'BEGIN { print "a" > "/dev/stderr"; printf "%s\n", "b" > "/dev/stdout"}'
g 'BEGIN { x = "A"; y = x++; print x, y; print x+0; $0="a b c"; NF=2; print; $5="e"; print; print NF; $0="x y"; print NF, $2 }'
