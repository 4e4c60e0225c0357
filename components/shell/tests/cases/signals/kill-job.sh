sleep 20 & kill %1; wait %1 2>/dev/null; echo $?
sleep 21 & sleep 22 & kill %%; wait $! 2>/dev/null; echo $?
kill %-; wait %- 2>/dev/null; echo $?
sleep 20 & kill %sle; wait $! 2>/dev/null; echo $?
sleep 20 & kill %?eep; wait $! 2>/dev/null; echo $?
