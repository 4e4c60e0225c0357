exec 2>&1
cat <<E
unterminated $x
