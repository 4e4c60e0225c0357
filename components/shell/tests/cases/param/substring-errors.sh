# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
x=abc; echo ${x:1:-1} ${x: -2} ${x:5} ${x:1:0}. ${x::2} ${x:0-1}; echo ${x:1:-5}; echo after
END_OF_SCRIPT
)
bash -c "$script" 2>&1
