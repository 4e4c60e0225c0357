cd "$(mktemp -d)" || exit 1
timeout 5 echo hi; timeout 0.1 sleep 5; echo $?; timeout -s KILL 0.1 sleep 5; echo $?; timeout -k 1 0.1 sleep 5; echo $?; timeout 5 sh -c 'exit 7'; echo $?; timeout 1 nope-cmd; echo $?; timeout x true; echo $?; timeout --preserve-status 0.1 sleep 5; echo $?; timeout; echo $?; timeout 0 echo forever
