# timeout ends as its command did, even by KILL; signals sent to it are passed on
t() { "$@"; echo "-> $?"; }
exec 2>&1
q() { "$@" 2>&1 | sed 's/^.*line [0-9]*: *[0-9]* //;s/  *.*//'; echo "-> ${PIPESTATUS[0]}"; }
bash -c 'timeout -s KILL .1 sleep 5; echo $?' 2>&1 | sed 's/.*: *[0-9]* Killed.*/Killed/'
bash -c 'timeout -k .6 .6 sh -c "trap : TERM; while :; do sleep 5; done"; echo $?' 2>&1 | sed 's/.*: *[0-9]* Killed.*/Killed/'
t timeout --foreground -s KILL .1 sleep 5; t timeout --preserve-status .1 sleep 5; t timeout --preserve-status -s INT .1 sleep 5
t timeout --preserve-status --foreground -s KILL .1 sleep 5
bash -c 'timeout 5 sh -c "kill -KILL \$\$"; echo $?' 2>&1 | sed 's/.*: *[0-9]* Killed.*/Killed/'
bash -c 'timeout 5 sh -c "kill -USR1 \$\$"; echo $?' 2>&1 | sed 's/.*: *[0-9]* User.*/User/'
t timeout .6 sh -c 'trap "exit 3" TERM; while :; do sleep 5; done'; t timeout --preserve-status .6 sh -c 'trap "exit 3" TERM; while :; do sleep 5; done'
t timeout -v .1 sleep 5; t timeout -v -s INT .1 sleep 5; t timeout -k0 .1 sleep 5; t timeout -s 0 .1 sleep .3
for s in NOPE 99 '' -1 65; do t timeout -s "$s" 1 true; done; for s in 64 RTMIN RTMIN+1 RTMAX sigusr1 SIGTERM; do t timeout -s $s 1 true; done
t timeout 1; t timeout; t timeout -- 1 echo hi; t timeout 0x1p-3 sleep 5; t timeout ' 1' true; for d in 1x 1ss '1 ' '' nan -1; do t timeout "$d" true; done; for d in inf 1e400 1d 99999999999999999999; do t timeout $d true; done
(timeout 5 sleep 9 & p=$!; sleep .7; kill $p; wait $p; echo "term $?"); (timeout -s INT 5 sleep 9 & p=$!; sleep .7; kill -INT $p; wait $p; echo "int $?")
(timeout 5 sleep 9 & p=$!; sleep .7; kill -HUP $p; wait $p; echo "hup $?") 2>/dev/null; t timeout .2 sh -c 'sleep 5 & wait'
