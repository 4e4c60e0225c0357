# The EXIT trap runs when a signal without a trap ends the shell: at once, whatever runs in the foreground.
exec 3< <(exec bash -c 'trap "echo cleaned up" EXIT; echo ready; while :; do :; done')
pid=$!
read -r -u 3 line; echo "$line"
kill $pid
cat <&3
wait $pid 2>/dev/null; echo $?
coproc P { exec bash -c 'trap "echo cleaned up >&3" EXIT; echo ready; cat' 3>&1; }
pid=$P_PID
exec {from}<&${P[0]} {to}>&${P[1]}
read -r -u $from line; echo "$line"
echo through >&$to
read -r -u $from line; echo "$line"
kill $pid
read -r -u $from line; echo "$line"
wait $pid 2>/dev/null; echo $?
