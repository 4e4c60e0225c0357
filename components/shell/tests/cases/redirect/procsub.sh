cat <(echo a) <(echo b); while read l; do echo "[$l]"; done < <(printf '1\n2\n'); diff <(echo same) <(echo same) && echo equal
