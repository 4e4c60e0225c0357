cd "$(mktemp -d)" || exit 1
g() { printf '%s\n' "${2-}" | awk "$1" 2>&1; echo "[$?]"; }
g 'BEGIN { print toupper(substr("abc",2)); print sprintf("%03d", 7); print split("", a), length(a); print split("abc", a, ""), a[2]; print split(" a  b ", b), b[1]; print split("a1b2c", c, /[0-9]/, s), c[3], s[2] }'
g 'BEGIN{printf "%i %5.1f %-10s|\n", 3.99, 2.25, "x"; print 1e-300*1e-300, 2**1024, -2**1024; print int(-3.7), int("3abc"), sqrt(16), exp(0), log(1), sin(0), cos(0), atan2(0,-1)}'
