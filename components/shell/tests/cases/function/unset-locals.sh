# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
a=1; f() { a=2; unset a; echo ${a-unset}; local a=3; unset a; echo ${a-unset}; }; f; echo ${a-unset}
END_OF_SCRIPT
)
bash -c "$script" 2>&1
