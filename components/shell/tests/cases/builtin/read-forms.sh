# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
x="a b  c"; set -- $x; echo $#; IFS=: read -r a b c <<< "1:2:3:4"; echo "$a|$b|$c"; IFS=, read -ra arr <<< "x,y,,z,"; declare -p arr; read -r -d '' v <<< "multi
line"; echo "[$v]" $?; read -n 3 q <<< abcdef; echo $q; read -N 4 q <<< "a
bcd"; echo "$q"; echo "a\tb" | { read x; echo "$x"; }; echo 'a\tb' | { read -r x; echo "$x"; }; read a b <<< "  lead  trail  "; echo "[$a][$b]"; read <<< "  keep  "; echo "[$REPLY]"
END_OF_SCRIPT
)
bash -c "$script" 2>&1
