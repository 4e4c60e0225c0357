# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
printf '\xff\xfe\x80abc\n' > b; x=$(cat b); printf '%s\n' "$x" | od -An -tx1; echo ${#x}; y=${x/a/Z}; printf '%s' "$y" | od -An -tx1; read z < b; printf '%s' "$z" | od -An -tx1; a=("$x" "é"); printf '%s' "${a[@]}" | od -An -tx1; printf '%q\n' "$x"; for c in "$x"; do printf '%s' "$c" | od -An -tx1; done; case "$x" in *abc) echo match;; esac; [[ $x == *abc ]] && echo m2; mapfile -t l < b; printf '%s' "${l[0]}" | od -An -tx1; cut -c1 <<< "$x" | od -An -tx1; declare -A m=(["$x"]=1); for k in "${!m[@]}"; do printf '%s' "$k" | od -An -tx1; done; echo "${x@Q}" "${x^^}" | od -An -c | head -3
END_OF_SCRIPT
)
bash -c "$script" 2>&1
