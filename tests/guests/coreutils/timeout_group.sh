# children of the command get the signal too; a signal sent to timeout is passed on
cd "$(mktemp -d)" || exit
timeout 0.2 sh -c 'sleep 30 & sleep 30'; echo $?
timeout -s INT 0.2 sh -c 'sleep 30; echo not reached'; echo $?
timeout 30 sh -c ': > ready; exec sleep 30' & until [ -e ready ]; do :; done; kill -TERM $!; wait $!; echo $?
timeout -k 0.1 0.1 sh -c 'trap "" TERM; while :; do :; done'; echo $?
timeout --foreground 5 true; echo $?; timeout --preserve-status 0.1 sleep 30; echo $?; timeout 5 sh -c 'exit 3'; echo $?
