exec 2>/dev/null
c=0; while (( ++c > 3 )) && break; true; do false; done; echo $?; c=0; until (( ++c > 3 )) && break; false; do (exit 3); done; echo $?
while true; do false; break; done; echo $?; while true; do (exit 4); break; done; echo $?; for i in 1 2; do (exit 5); continue; done; echo $?; while break; do :; done; echo $?; while false; break; do :; done; echo $?
for i in 1 2; do (continue; echo x); done; echo 1; for i in 1 2; do true | continue; echo $?; done; echo 2;  for i in 1 2; do true | { continue; echo x; }; done; echo 3; for i in 1 2; do continue | cat; echo z; done;  echo 4; for i in 1 2; do x=$(continue; echo q); echo "$x"; done
while :; do break; done; echo "${PIPESTATUS[@]}"; until false && x || break; do :; done; echo "${PIPESTATUS[@]}"; for i in 1 2; do false | continue; done; echo "${PIPESTATUS[@]}"; for i in 1 2; do false; continue; done; echo "${PIPESTATUS[@]}"
for ((i=1+;;)); do echo no; done; echo $?
function lo\cal { echo a; }; echo $?
