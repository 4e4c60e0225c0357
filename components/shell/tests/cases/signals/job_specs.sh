# Jobs by name, the jobs that `jobs -n` shows again, and the jobs that `disown` leaves.
err=$(mktemp); exec 2>"$err"
sleep 30 & p1=$!; sleep 30 & p2=$!
jobs %sleep; echo $?; wait %sleep; echo $?; kill %sleep; echo $?; disown %sleep; echo $?; wait %9; echo $?
jobs -n; jobs | wc -l; jobs -n; kill %1; wait %1; echo $?; kill %2; wait %2; echo $?
sleep 30 & q=$!; disown %1; wait $q; echo $?; kill $q
sleep 30 & q=$!; disown -a; wait $q 2>/dev/null; echo $?; kill $q
sleep 30 & q=$!; disown -r; wait $q 2>/dev/null; echo $?; kill $q
sleep 30 & q=$!; disown -h %1; jobs | wc -l; kill %1; wait $q; echo $?
builtin let --help >/dev/null; echo $?; for a in 0x '0<>' 08 1x; do printf '%d\n' "$a"; done
sed "s/.*: line/line/" "$err"; rm "$err"
