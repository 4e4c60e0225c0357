# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
echo $((1+))
echo next
END_OF_SCRIPT
)
bash -c "$script" 2>&1
