x=$(seq 1 50000); echo ${#x}; y=$(echo "$x" | tail -1); echo $y; z=$(seq 1 50000 | while read l; do echo $l; done | cat | tail -1); echo $z
