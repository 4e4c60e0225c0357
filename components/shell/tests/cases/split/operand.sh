unset x; for i in ${x:-a b "c d"}; do echo "[$i]"; done; for i in "${x:-a b}"; do echo "[$i]"; done
