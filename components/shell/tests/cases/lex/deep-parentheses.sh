# What bash prints, errors included.
script=$(cat <<'END_OF_SCRIPT'
s=$(printf '(%.0s' {1..3000}); eval "$s" 2>/dev/null; echo rc $?
END_OF_SCRIPT
)
bash -c "$script" 2>&1
