cd "$(mktemp -d)" || exit 1
g() { printf '%s\n' "${2-}" | awk "$1" 2>&1; echo "[$?]"; }
g 'BEGIN{OFS="-"; $0="a b c"; $1=$1; print; print $0; NF=NF; print}'
g 'BEGIN{x[1][2]=3; print x[1][2]; print isarray(x[1]); for (i in x) for (j in x[i]) print i,j,x[i][j]; }'
