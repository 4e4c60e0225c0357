# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
x=(1 2 3); echo ${x[1]:0:1} ${x[@]/2/T} ${x[*]^^} "${x[@]@Q}" ${x[@]@A} ${#x[1]} ${x[1+1]} ${x[$((0))]} ${x[-4]}; echo "${x[@]:0}" "${@:1}" "${x[@]: -1:1}"
END_OF_SCRIPT
)
bash -c "$script" 2>&1
