exec 2>&1
seq 100000 | sort -rn | head -1; seq 200000 | wc -l; yes | head -100000 | wc -c; seq 1 50000 | while read n; do ((s+=n)); echo $s; done | tail -1; head -c 3000000 /dev/zero | tr '\0' x | wc -c; x=$(seq 30000); echo ${#x}; echo "$x" | tail -1; cat <<< "$x" | wc -l; printf '%s\n' {1..20000} | wc -l
