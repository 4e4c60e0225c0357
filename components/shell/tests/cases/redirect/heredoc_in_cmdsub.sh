x=$(cat <<EOF
line 1
line (2
EOF
); echo "$x"
