cd "$(mktemp -d)" || exit 1
g() { printf '%s\n' "${2-}" | awk "$1" 2>&1; echo "[$?]"; }
g 'BEGIN{printf "%*d|%-*d|%.*f\n", 5, 3, 5, 3, 2, 3.14159; printf "%2$s %1$s\n", "a", "b"; printf "%z %d\n", 1}'
g 'BEGIN{printf "%d %s\n"}'
