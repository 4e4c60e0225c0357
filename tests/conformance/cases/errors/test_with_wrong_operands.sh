exec 2>&1
test 1 -eq a; echo $?; [ 1 = 1; echo $?; [ a b; echo $?; [ a b c ]; echo $?; [ a b c d e ]; echo $?; test -z; echo $?; test ; echo $?; [ ! ]; echo $?; [ -a ]; echo $?; [ -f ]; echo $?; [ ( a ) ]; 
