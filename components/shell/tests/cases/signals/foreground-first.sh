# The foreground command ends before the trap runs.
mkfifo_() { :; }
coproc P { trap 'echo trapped' USR1; echo ready; cat; echo "after cat $?"; }
pid=$P_PID
read -r -u ${P[0]} line; echo "$line"
echo one >&${P[1]}
read -r -u ${P[0]} line; echo "$line"
kill -USR1 $pid
echo two >&${P[1]}
read -r -u ${P[0]} line; echo "$line"
exec {out}<&${P[0]}
eval "exec ${P[1]}>&-"
cat <&$out
wait $pid; echo "status $?"
