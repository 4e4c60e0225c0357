IFS=: read a b c <<< "1::3"; echo "$a|$b|$c"; IFS=: read a b <<< "1:2:"; echo "$a|$b"; IFS=, read -r a b <<< "x, y ,z"; echo "[$a][$b]"; IFS=' :' read a b c <<< " 1 : 2 : 3 "; echo "[$a][$b][$c]"
