trap 'echo parent' USR1
trap '' USR2
( trap; kill -USR2 $BASHPID; echo "ignored stays"; kill -USR1 $BASHPID; echo "not reached" ) &
wait $!; echo "status $?"
( trap -p ); echo "--"
( trap 'echo own' USR1; kill -USR1 $BASHPID; trap -p ); echo "--"
trap -p
x=$(trap 'echo inner' USR1; kill -USR1 $BASHPID; echo end); echo "$x"
