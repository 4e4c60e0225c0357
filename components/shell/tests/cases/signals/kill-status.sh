for s in HUP INT QUIT ILL ABRT FPE KILL USR1 SEGV USR2 PIPE ALRM TERM XCPU VTALRM PROF IO PWR SYS; do
  bash -c 'ulimit -c 0; kill -'$s' $$; echo not reached' 2>/dev/null
  echo "$s $?"
done
for s in CHLD CONT URG WINCH; do bash -c "kill -$s \$\$; echo alive"; echo "$s $?"; done
