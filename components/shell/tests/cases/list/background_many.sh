for i in 1 2 3; do (exit $i) & pids="$pids $!"; done; for p in $pids; do wait $p; echo $?; done
