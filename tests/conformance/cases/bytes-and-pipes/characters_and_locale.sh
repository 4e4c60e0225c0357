exec 2>&1
printf '\xc3\xa9\xe2\x82\xac\n' > f; read -r l < f; echo ${#l} ${l:1:1} ${l^^}; printf '%5s|%-5s|%.1s\n' "$l" "$l" "$l"; for ((i=0;i<${#l};i++)); do printf '%s,' "${l:i:1}"; done; echo; LC_ALL=C; echo ${#l}; printf '%d %d\n' "'é" "'a"; unset LC_ALL; printf '\u20ac \U1F600\n'; echo $'\u00e9' | od -An -tx1
