# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
printf '%s\n' a b c | mapfile -t arr; echo ${#arr[@]}; mapfile -t arr <<< "$(printf 'x y\nz')"; echo ${#arr[@]} "${arr[0]}"; IFS=$'\n' read -d '' -ra l < <(printf '1\n2\n3\n'); echo ${#l[@]}; readarray -t s < <(printf '%s\n' "${l[@]}" | sort -r); echo ${s[@]}; IFS=, ; echo "${s[*]}"; unset IFS; joined=$(IFS=:; echo "${s[*]}"); echo $joined; arr=($(echo 3 1 2 | tr ' ' '\n' | sort)); echo ${arr[@]}; unset 'arr[0]'; echo ${!arr[@]}; arr=("${arr[@]}"); echo ${!arr[@]}; echo ${arr[@]/%/.x}; [[ " ${arr[*]} " == *" 2 "* ]] && echo has
END_OF_SCRIPT
)
bash -c "$script" 2>&1
