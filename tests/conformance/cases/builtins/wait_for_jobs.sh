exec 2>&1
sleep 0.05 & echo ${!//[0-9]/d} | head -c 2; echo; wait $!; echo $?; (exit 3) & wait $!; echo $?; false & p=$!; wait $p; echo $?; wait 99999; echo $?; wait -n; echo $?; { sleep 0.02; exit 4; } & wait -n; echo $?; jobs; wait %1; echo $?
