cd "$(mktemp -d)" || exit 1
g() { printf '%s\n' "${2-}" | awk "$1" 2>&1; echo "[$?]"; }
g 'BEGIN{print -3%2, 3%-2, 2^0.5, 2**3, 2^3^2, -2^2, !0, !"", !"a", 1 - -1}'
g 'BEGIN { getline x < "/nonexistent"; print (getline y < "/nonexistent"); print ERRNO}'
