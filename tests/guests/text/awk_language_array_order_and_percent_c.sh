cd "$(mktemp -d)" || exit 1
g() { printf '%s\n' "${2-}" | awk "$1" 2>&1; echo "[$?]"; }
g 'BEGIN { x["a"]=1; x["b"]; for (i=1;i<=10;i++) y[i]=i; for(k in y) printf "%s ", k; print length(x)}'
g 'BEGIN{printf "%c%c", 228, "é"}'
