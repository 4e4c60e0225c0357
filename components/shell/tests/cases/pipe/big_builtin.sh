x=$(head -c 200000 /dev/zero | tr '\0' a); echo "$x" | wc -c; echo "$x" | while read l; do echo ${#l}; done
