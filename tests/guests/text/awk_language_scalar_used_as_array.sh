cd "$(mktemp -d)" || exit 1
g() { printf '%s\n' "${2-}" | awk "$1" 2>&1; echo "[$?]"; }
g 'BEGIN{ y = 1; y[1]=2 }'
g 'function f(x){x[1]=1} BEGIN{y=1; f(y)}'
