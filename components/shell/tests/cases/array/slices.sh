# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
a=(1 2 3 4 5); echo ${a[@]:1:2} ${a[@]: -2} ${#a[@]} ${!a[@]} "${a[@]/#/x}" "${a[*]%3}" ${a[-1]} ${a[@]::2}
END_OF_SCRIPT
)
bash -c "$script" 2>&1
