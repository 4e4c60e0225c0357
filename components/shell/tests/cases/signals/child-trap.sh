# A shell with a handler receives a signal from outside.
exec 3< <(trap 'echo got TERM; exit 3' TERM; echo ready; while :; do :; done)
pid=$!
read -r -u 3 line; echo "$line"
kill $pid
cat <&3
wait $pid; echo "status $?"
