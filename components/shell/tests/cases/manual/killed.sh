# Messages about programs and subshells that a signal ended, without process ids.
cat > s.sh <<'S'
bash -c 'kill -KILL $$'
( bash -c 'kill -KILL $$' )
( :; bash -c 'kill -KILL $$' )
( kill -HUP $BASHPID ); echo $?
( kill -TERM $BASHPID ); echo $?
x=$(bash -c 'kill -KILL $$'); echo $?
x=$(bash -c 'kill -KILL $$'; echo x); echo $x
f() { bash -c 'kill -SEGV $$'; return 0; }; f
bash -c 'kill -KILL $$' || echo failed
S
bash s.sh 2>&1 | sed 's/: *[0-9]* \([A-Z]\)/: \1/'
