trap 'echo parent' EXIT; (echo sub); x=$(echo cs); echo $x; trap '' INT; (trap -p INT)
