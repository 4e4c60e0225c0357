( kill -INT $BASHPID; kill -QUIT $BASHPID; echo "int and quit ignored" ) &
wait $!; echo $?
( trap 'echo trapped int' INT; kill -INT $BASHPID; echo next ) &
wait $!; echo $?
( trap; echo listed ) &
wait $!
( bash -c 'kill -INT $$; echo no' ) &
wait $! 2>/dev/null; echo $?
bash -c 'kill -INT $$; echo inherited' &
wait $!; echo $?
( bash -c 'trap'; : ) & wait
( kill -TERM $BASHPID; echo no ) &
wait $! 2>/dev/null; echo $?
set -m
( kill -INT $BASHPID; echo no ) &
wait $! 2>/dev/null; echo $?
