sleep 20 & a=$!
kill -0 $a; echo "there $?"
kill -s TERM $a; wait $a 2>/dev/null; echo $?
kill -0 $a 2>/dev/null; echo "gone $?"
for f in "-s SIGALRM" "-n 1" -15 -SIGHUP -usr1 "-s 9" -9; do
  sleep 20 & a=$!
  kill $f $a; wait $a 2>/dev/null; echo "$f: $?"
done
kill -s NOPE $$; echo $?
kill -NOPE $$; echo $?
kill 2>/dev/null; echo $?
kill abc; echo $?
kill %9; echo $?
kill -s; echo $?
kill -n; echo $?
