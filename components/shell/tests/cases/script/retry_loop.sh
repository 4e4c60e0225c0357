n=0; try() { n=$((n+1)); [ $n -ge 3 ]; }; until try; do echo "attempt $n failed"; done; echo "ok after $n"
