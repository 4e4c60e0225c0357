exec 2>&1
while IFS=, read -r a b c; do echo "$a|$b|$c"; done <<< $'1,2,3\n4,,6\n,,\n7'; IFS=$'\t' read -r x y z <<< $'a\t\tb'; echo "$x|$y|$z"; IFS=: read -ra p <<< "/a:/b::/c:"; echo ${#p[@]}; declare -p p; read -r -d '' text <<'E'
line1
 line2
E
echo "[$text]"; IFS= read -r l <<< '  keep  '; echo "[$l]"; read l <<< '  trim  '; echo "[$l]"; read a <<< 'a\ b'; echo "$a"; read -r a b <<< 'one'; echo "[$a][$b]"; echo "1 2" | { read a b; echo $((a+b)); }; printf '%s\n' a b c | while read x; do [ $x = b ] && break; echo $x; done; read -n1 c <<< xyz; echo $c; read -r line < <(printf 'x'); echo $? $line
