kill -l
kill -l 15 9 1 143 130
kill -l TERM SIGINT usr1 exit
kill -l 99; echo $?
kill -l NOPE; echo $?
kill -L 2
kill -l 0 128 129
trap -l | head -3
