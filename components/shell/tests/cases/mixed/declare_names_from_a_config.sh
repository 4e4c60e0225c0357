while IFS='=' read -r k v; do declare "cfg_$k=$v"; done <<< $'a=1\nb=2 3'; echo $cfg_a "$cfg_b"
