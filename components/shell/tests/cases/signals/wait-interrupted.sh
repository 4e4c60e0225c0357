# `wait` ends at once with 128 + n, and the trap runs behind it. The signal is sent for as long as it takes.
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
