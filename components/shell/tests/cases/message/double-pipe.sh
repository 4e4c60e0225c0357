# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
echo a | | b
END_OF_SCRIPT
)
bash -c "$script" 2>&1
