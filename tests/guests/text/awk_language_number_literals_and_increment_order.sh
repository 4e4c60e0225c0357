cd "$(mktemp -d)" || exit 1
g() { printf '%s\n' "${2-}" | awk "$1" 2>&1; echo "[$?]"; }
g 'BEGIN { print length(12345), 1e3 "", 0x10, 1.5e3x }'
g 'BEGIN{i=1; a[i++]=i; for(k in a) print k, a[k]; $(i++)=i; print; i=1; b[i]=i++; for (k in b) print k,b[k]}'
