# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
echo "${a[@]+set}" "${a+set}" ${a[@]:-none}; a=(); echo "${a[@]+set}" "${#a[@]}"; a=(''); echo "${a[@]+set}" "${a[0]+s}" "${a[1]-u}"; declare -A m; echo ${m[k]+x} ${m[k]:-d}; : ${m[k]:=v} ${b[2]:=w}; echo ${m[k]} ${b[2]} ${!b[@]}; unset a b; echo ${a:+x}${a+y}
END_OF_SCRIPT
)
bash -c "$script" 2>&1
