# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
f() { local -n r=$1; r+=(new); echo ${#r[@]}; }; arr=(a b); f arr; echo ${arr[@]}; declare -n s=arr; echo ${s[1]} ${!s}; for i in "${!s[@]}"; do echo $i; done; unset -n s; echo ${s-unset}
END_OF_SCRIPT
)
bash -c "$script" 2>&1
