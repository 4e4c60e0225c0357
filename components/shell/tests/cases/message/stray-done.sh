# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
for i in 1 2; do echo $i; done; done
END_OF_SCRIPT
)
bash -c "$script" 2>&1
