cd "$(mktemp -d)" || exit 1
g() { printf '%s\n' "${2-}" | awk "$1" 2>&1; echo "[$?]"; }
g 'BEGIN { a["x"]; if ("x" in a) print "in"; delete a["x"]; print length(a); print substr("x", 2) "|" ; printf "%s" }'
g '{ $3 = "X"; print; print NF; $7=""; print; NF=2; print $0; $0="new rec"; print $2 }' 'a b'
