# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
s=$(printf '{ %.0s' {1..1000}); eval "$s" 2>/dev/null; echo rc $?; s=$(printf '$(%.0s' {1..1000}); eval "echo $s" 2>/dev/null; echo rc $?; s=$(printf '((%.0s' {1..1000}); eval "echo \$(($s" 2>/dev/null; echo $?
END_OF_SCRIPT
)
bash -c "$script" 2>&1
