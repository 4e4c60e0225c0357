while IFS=, read -r name age city; do [ "$name" = name ] && continue; printf '%-8s %3d %s\n' "$name" "$age" "$city"; done <<'EOF'
name,age,city
bob,42,Paris
alice,7,New York
EOF
