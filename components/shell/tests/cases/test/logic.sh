[ a = a -a b = b ] && echo 1; [ a = b -o b = b ] && echo 2; [ ! a = b ] && echo 3; [ \( a = a \) ] && echo 4; [ \( a = b -o c = c \) -a d = d ] && echo 5
