cd "$(mktemp -d)" || exit 1
g() { printf '%s\n' "${2-}" | awk "$1" 2>&1; echo "[$?]"; }
g 'BEGIN { a["b"]=1; a["a"]=2; a["10"]=3; a["9"]=4; PROCINFO["sorted_in"]="@ind_str_asc"; for(k in a) printf "%s ", k; PROCINFO["sorted_in"]="@ind_num_asc"; for(k in a) printf "%s ", k; PROCINFO["sorted_in"]="@val_num_desc"; for(k in a) printf "%s ", k; print ""; n=asort(a); for(i=1;i<=n;i++) printf "%s ", a[i]; b["z"]=1;b["y"]=2; n=asorti(b,c); print n, c[1], c[2]}'
g 'BEGIN { print strftime("%Y-%m-%d %H:%M:%S", 0, 1); print mktime("1970 01 02 00 00 00"); print and(12,10), or(12,10), xor(12,10), lshift(1,4), rshift(16,2), compl(0), strtonum("0x1F"), strtonum("017"), strtonum("12abc") }'
