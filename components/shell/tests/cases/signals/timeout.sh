timeout 0.2 sleep 20; echo $?
timeout -s KILL 0.2 sleep 20 2>/dev/null; echo $?
timeout -k 0.2 0.2 sh -c 'trap "" TERM; while :; do :; done' 2>/dev/null; echo $?
timeout 0.3 bash -c 'trap "echo got; exit 5" TERM; while :; do :; done'; echo $?
timeout --preserve-status 0.2 sleep 20; echo $?
timeout 5 true; echo $?
timeout -s INT 0.2 bash -c 'trap "echo int; exit 9" INT; while :; do :; done'; echo $?
timeout 5 sh -c 'exit 3'; echo $?
