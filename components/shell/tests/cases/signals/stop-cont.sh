exec 3< <(trap 'echo usr1' USR1; echo ready; while :; do :; done)
pid=$!
read -r -u 3 line; echo $line
kill -STOP $pid; kill -TERM $pid
kill -0 $pid; echo "still there $?"
kill -CONT $pid
cat <&3
wait $pid 2>/dev/null; echo $?
suspend; echo $?
