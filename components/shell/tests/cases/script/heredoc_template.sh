name=World items=(a b); cat <<EOF
Hello, ${name^^}!
$(for i in "${items[@]}"; do echo "- $i"; done)
Total: ${#items[@]} \$5 ${undefined:-none}
EOF
