# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
declare -A cfg; while IFS='= ' read -r k v; do [[ $k =~ ^#|^$ ]] && continue; cfg[$k]=${v//\"/}; done <<'EOF'
# comment
host = "localhost"
port=8080

name="x y"
EOF
for k in $(printf '%s\n' "${!cfg[@]}" | sort); do echo "$k -> ${cfg[$k]}"; done
END_OF_SCRIPT
)
bash -c "$script" 2>&1
