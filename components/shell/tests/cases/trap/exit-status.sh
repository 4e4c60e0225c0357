# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
trap 'echo T1; exit 5' EXIT; exit 2
END_OF_SCRIPT
)
bash -c "$script" 2>&1
