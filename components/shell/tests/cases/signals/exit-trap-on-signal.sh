for s in HUP INT TERM QUIT USR1 ALRM; do
  bash -c "trap 'echo bye \$?' EXIT; kill -$s \$\$; echo not reached" 2>/dev/null
  echo "$s $?"
done
bash -c "trap 'echo never' EXIT; kill -KILL \$\$" 2>/dev/null; echo $?
bash -c "trap 'echo bye' EXIT; trap 'echo term; exit 7' TERM; kill -TERM \$\$" ; echo $?
bash -c "trap 'echo bye' EXIT; trap 'echo term' TERM; kill -TERM \$\$; echo on" ; echo $?
