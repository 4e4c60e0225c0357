while IFS=: read -r a b; do echo "$b/$a"; done <<< $'x:1\ny:2'; for f in *.none; do echo "$f"; done
