# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
caller; f() { caller 0; g; }; g() { caller 0; caller 1; echo ${FUNCNAME[@]} ${BASH_LINENO[@]}; }
f
END_OF_SCRIPT
)
bash -c "$script" 2>&1
