(exit 5) | cat; echo ${PIPESTATUS[0]}; cat /dev/null | (exit 7); echo $?
