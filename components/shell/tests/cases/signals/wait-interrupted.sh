# `wait` ends at once with 128 + n, and the trap runs after it. The signal is sent until it arrives.
trap 'heard=yes' USR1
( while kill -USR1 $$; do sleep 0.02; done ) & sender=$!
wait $sender
echo "wait said $?, heard $heard"
wait
echo "wait said $?"
trap 'echo "in trap, \$?=$?"; trap "" USR1' USR1
wait -n
echo "wait -n said $?"
kill $sender
wait $sender 2>/dev/null
echo "then $?"
