# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
set -u; echo ${x:-def} ${x-} "${a[@]}"; a=(); echo "${a[@]}" ${#a[@]} "$@" $#; echo ${!x-} ; echo $x; echo no
END_OF_SCRIPT
)
bash -c "$script" 2>&1
