cat <(echo a) <(echo b); while read l; do echo "[$l]"; done < <(printf '1\n2\n'); paste <(echo left) <(echo right)
