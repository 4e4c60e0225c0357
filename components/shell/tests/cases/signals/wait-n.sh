wait -n; echo "none: $?"
( exit 3 ) & a=$!
wait -n -p which $a; echo "$? $([ "$which" = $a ] && echo same)"
wait -p which; echo "$? ${which-unset}"
wait -n 99999; echo $?
wait -x; echo $?
sleep 20 & slow=$!
( exit 4 ) &
wait -n; echo $?
kill $slow; wait -n; echo $?; wait -n; echo $?
wait $slow; echo "again $?"
wait -p 1x; echo $?
