printf 'a 1\nb 2\n' | while read k v; do echo "$v-$k"; done; x=0; printf '1\n2\n' | while read n; do x=$((x+n)); done; echo $x
