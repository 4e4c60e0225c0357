exec 2>&1
x=; echo "${x:-$'a\tb'}" "${x:-"$'q'"}"; cat <<E
${x:-$'a'} "${x:-$'b'}"
E
echo "${x:=$'k'}" "$(echo "${y:-$'z'}")"; LC_ALL=C; printf '%d\n' "'é" "'a" \'; 
