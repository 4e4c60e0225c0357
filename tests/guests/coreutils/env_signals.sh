# signals that a command ignores, or no longer ignores
cd "$(mktemp -d)" || exit
env --ignore-signal=TERM,INT sh -c 'kill -TERM $$; kill -INT $$; echo alive'
env --ignore-signal sh -c 'kill -HUP $$; kill -USR1 $$; echo alive'
(trap '' TERM; env --default-signal=TERM sh -c 'kill -TERM $$; echo not reached'; echo $?)
(trap '' TERM; env sh -c 'kill -TERM $$; echo alive')
env --ignore-signal=HUP,INT --list-signal-handling true 2>&1
exec 2>&1; env --ignore-signal=KILL true; echo $?; env --ignore-signal=FOO true; echo $?
nohup sh -c 'kill -HUP $$; echo alive' 2>&1
