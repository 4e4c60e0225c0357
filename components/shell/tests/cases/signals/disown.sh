sleep 20 & a=$!
sleep 21 & b=$!
jobs -p | wc -l
disown %1
jobs
wait $a; echo "wait disowned $?"
kill $a $b
wait $b 2>/dev/null; echo $?
sleep 5 & c=$!; disown -h $c; jobs; kill $c; wait $c 2>/dev/null; echo $?
disown; echo $?
sleep 5 & disown -a; jobs; kill $!
disown %7; echo $?
disown -x; echo $?
