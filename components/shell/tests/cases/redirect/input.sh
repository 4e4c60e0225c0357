printf '1\n2\n' > f; read x < f; echo $x; while read l; do echo "l=$l"; done < f; cat < f - < /dev/null
