s='a b c'; read -ra w <<< "$s"; echo "${w[1]}" ${#w[@]}; IFS=- ; echo "${w[*]}"; unset IFS; read x <<< $(echo 1 2 3); echo "$x"; read -r a _ c <<< "1 2 3"; echo $a$c
