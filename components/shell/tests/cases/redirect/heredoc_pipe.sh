cat <<EOF | tr a-z A-Z
hello
EOF
while read a b; do echo "$b $a"; done <<EOF
1 2
3 4
EOF
