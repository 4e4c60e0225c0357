# The command of `command &` is announced to DEBUG by the shell that starts it, and its failure is none of ERR's.
exec 2>&1
set -E; trap 'echo ERR $BASH_SUBSHELL $?' ERR
false & wait $!
f() { false; return 2; }; f & wait $!
true | false & wait $!
(false) & wait $!
{ false; } & wait $!
true && false & wait $!
! true & wait $!; echo $?
trap - ERR; trap 'echo DEBUG $BASH_SUBSHELL $BASH_COMMAND' DEBUG
x=1 & wait
{ x=1; } & wait
! true & wait
set -T
f() { :; }
x=1 & wait
f | cat
f | f
x=1 | { x=2; }
trap - DEBUG; trap 'echo got' INT; trap -p INT & wait
{ trap -p INT; } & wait
