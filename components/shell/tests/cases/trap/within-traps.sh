# Traps run within the commands of other traps, but never within themselves.
bash -c '
d() { echo "D $BASH_COMMAND ${BASH_LINENO[*]}"; }
trap d DEBUG
trap '\''echo "E $LINENO"
echo second'\'' ERR
false
:'
bash -c '
set -ET
e() { L="${L[*]}"; echo "in e: $L"; }
trap '\''L+=("${#FUNCNAME[@]}")'\'' DEBUG
trap e ERR
f() {
  [[ a == b ]]
  (( 1 > 2 ))
}
f'
bash -c '
set -T
trap '\''echo "D $BASH_COMMAND"'\'' DEBUG
trap '\''echo "R ${FUNCNAME[0]}"; :'\'' RETURN
trap '\''echo X; :'\'' EXIT
f() { :; }
f'
bash -c '
set -E
trap '\''echo "E $BASH_COMMAND $?"'\'' ERR
trap '\''false; echo X'\'' EXIT
f() { false; exit 3; }
f'; echo $?
# Without a number, `return` returns the status from before the trap; in the DEBUG trap, the trap's own.
bash -c '
g() { true; return; }
trap '\''g; echo "E $?"'\'' ERR
(exit 6)
trap - ERR
trap '\''g; echo "D $?"'\'' DEBUG
(exit 7)
trap - DEBUG
trap '\''g; echo "X $?"'\'' EXIT
exit 3'; echo $?
# Only in the EXIT trap does `exit` without a number end with the status from before the trap.
bash -c 'trap "true; exit" ERR; (exit 3); echo no'; echo $?
bash -c 'trap "true; exit" EXIT; exit 3'; echo $?
bash -c 'trap "true; exit" USR1; kill -USR1 $$; echo no'; echo $?
# An EXIT trap that its own commands set again does not run; that of a subshell does.
bash -c 'trap '\''(trap "echo sub" EXIT); f() { trap "echo more" EXIT; exit 9; }; f'\'' EXIT; g() { exit 3; }; g'; echo $?
# An empty %c.
printf '%c|%3c|' '' x | od -An -c
