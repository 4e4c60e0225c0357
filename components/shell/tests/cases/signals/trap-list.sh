trap 'echo a' INT TERM
trap "echo 'q'" USR1
trap '' HUP
trap 'x' 10 SIGUSR2 winch
trap
echo --
trap -p TERM HUP KILL
echo "-- $?"
trap - INT
trap TERM
trap 2 2>/dev/null
trap -p
trap 'e' EXIT 0
trap -p EXIT
trap - EXIT
trap 'a' NOPE; echo $?
trap 'a' 99; echo $?
trap 'k' KILL STOP; echo $?
trap -p KILL
trap -x; echo $?
trap -p NOPE; echo $?
