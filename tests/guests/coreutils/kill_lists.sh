# the program's lists of signals; processes by name
env kill -l; env kill -L | sed 's/ *$//'; env kill -l 9; env kill -l TERM; killall -l
sleep 70 & p=$!
[ "$(pgrep -x sleep)" = $p ] && echo found; [ "$(pgrep -x -l sleep)" = "$p sleep" ] && echo listed; pgrep -c -x sleep; pgrep -x -d, sleep | tr -d 0-9; pgrep -x slee; echo $?; pgrep -f -x 'sleep 70' >/dev/null; echo $?
[ "$(pgrep -P $$ -x sleep)" = $p ] && echo child; [ "$(pidof sleep)" = $p ] && echo pidof; pidof no-such; echo $?
ps -o pid=,comm= -p $p | tr -d ' 0-9'; ps -C sleep -o comm; ps -o comm= -C no-such; echo $?; ps -p $p >/dev/null; echo $?
pkill -0 -x sleep; echo $?; pkill -x no-such; echo $?; killall -q no-such; echo $?; killall no-such 2>&1; echo $?
pkill -e -x sleep | tr -d 0-9; wait $p; echo "ended $?"
sleep 70 & p=$!; killall -INT -q sleep; killall -9 sleep; wait $p; echo "ended $?"
sleep 70 & p=$!; pkill -USR1 sleep; wait $p; echo "ended $?"
pgrep 2>/dev/null; echo $?; pkill a b 2>/dev/null; echo $?; pkill '[' 2>/dev/null; echo $?
