set -m
( sleep 20 & sleep 21 & wait ) &
kill -- -$!
wait $! 2>/dev/null; echo $?
sleep 20 & kill -INT %1; wait $! 2>/dev/null; echo $?
kill -- -99999; echo $?
set +m
bash -c 'kill -0 0; echo $?; kill -0 -- -$$; [ $? = 0 ] || echo "no group of its own"'
