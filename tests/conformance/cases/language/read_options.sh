exec 2>&1
read -r a b c <<< "1 2 3 4"; echo "$a|$b|$c"; IFS=: read x y <<< "p:q:r"; echo "$x|$y"; read -a arr <<< "x y z"; echo ${arr[1]}; read -n 2 z <<< abc; echo $z; read -d : w <<< "ab:cd"; echo $w; read -N 3 n <<< abcdef; echo $n; read <<< "  hi  "; echo "[$REPLY]"; read q < /dev/null; echo $?
