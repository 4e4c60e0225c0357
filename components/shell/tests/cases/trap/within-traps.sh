# Traps run within other traps' commands, each only not within itself.
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
# Without a number `return` answers with the status from before the trap; in that of DEBUG, with its own.
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
