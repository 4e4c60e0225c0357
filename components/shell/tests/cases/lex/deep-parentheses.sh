# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
s=$(printf '(%.0s' {1..3000}); eval "$s" 2>/dev/null; echo rc $?
END_OF_SCRIPT
)
bash -c "$script" 2>&1
