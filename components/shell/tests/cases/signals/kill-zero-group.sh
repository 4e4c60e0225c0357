set -m
bash -c 'trap "" TERM; kill 0; echo "still here"' &
wait $!; echo "status $?"
bash -c 'trap "echo cleanup" TERM; sleep 20 & sleep 20 & kill -TERM 0; wait; echo "end"' 2>/dev/null &
wait $!; echo "status $?"
bash -c 'sleep 20 & kill 0; echo "not reached"' &
wait $! 2>/dev/null; echo "status $?"
