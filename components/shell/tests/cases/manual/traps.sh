# `exit` and `return` without a number in traps, and the line and command that ERR sees.
t() { bash -c "$1" bash; echo "= $?"; }
t 'trap "echo T; exit" EXIT; false; exit 7'
t 'trap "echo T; (exit 3); exit" EXIT; false'
t 'f() { true; exit; }; trap f EXIT; false'
t 'f() { true; return; }; trap "f; echo \$?" EXIT; exit 4'
t 'trap "(true; exit); echo \$?; x=\$(true; exit); echo \$?" EXIT; exit 6'
t 'trap "true; exit" TERM; kill $$; echo no'
trap 'echo "E:$BASH_COMMAND"' ERR
eval 'false'; eval 'true; false'; . /dev/stdin <<< 'false'
f() { false; }; f; true | f; true | { false; }; command false; (f); (exit 3)
set -E; (false); true | f; false | false; x=$(false)
set +E; trap - ERR
trap 'echo usr' USR1; (kill -USR1 $$) & wait; echo $?; wait
trap 'echo "at $LINENO: $BASH_COMMAND"' ERR
true |
  false
declare -i n='3*'; declare -i m=1; m+='2*'
rmdir_here() { mkdir -p q/r; cd q/r; rmdir ../r; cd ..; echo $?; }
rmdir_here 2> /dev/null
coproc P { exit 3; }; wait "$P_PID"; echo "$?" "${P-gone}" "${P_PID-gone}"
