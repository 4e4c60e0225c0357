set -E; trap 'echo "err $BASH_SUBSHELL"' ERR
echo 1; true | false
echo 2; true | echo x >/nowhere/x
echo 3; true | test -n ""
echo 5; true | { false; }
echo 6; false | true
echo 7; true | nowhere_here
echo 8; true | [[ -n "" ]]
echo 9; true | eval false
echo 10; f() { false; }; true | f
echo 11; true | if true; then false; fi
echo 12; echo x > /nowhere/x | true
echo 13; true | (echo x >/nowhere/x)
echo 14; (false) | true
echo 15; { false; } | true
echo 16; true | { echo x >/nowhere/x; }
echo 17; true | echo x >&9
echo 18; true | false >/nowhere/x
echo 19; true | nowhere_here >/nowhere/x
echo 20; true | cat >/nowhere/x
echo 22; true | : ${x?y}
echo 23; true | read x </nowhere/x
echo 1; ( set -e; trap 'echo err $?' ERR; f() { false; }; f; )
echo 2; ( set -eT; trap 'echo err $?' ERR; f() { false; }; f; )
echo 3; ( set -e; trap 'echo err $?' ERR; f() { command false; }; f; )
echo 4; ( set -e; trap 'echo err $?' ERR; f() { until false; do false; done; }; f; )
echo 5; ( set -e; trap 'echo err $?' ERR; f() { until false; do false; done; }; { f; } )
echo 6; ( set -e; trap 'echo err $?' ERR; f() { until false; do command false; done; }; f )
echo 7; ( set -e; trap 'echo err $?' ERR; f() { until false; do eval false; done; }; f )
echo 8; ( set -e; trap 'echo err $?' ERR; f() { eval false; }; f )
echo 9; ( set -e; trap 'echo err $?' ERR; f() { eval '(exit 3)'; }; f )
trap - ERR
true | echo $BASH_SUBSHELL; true | eval 'echo $BASH_SUBSHELL'; f() { echo $BASH_SUBSHELL; }; true | f; true | { echo $BASH_SUBSHELL; }; true | (echo $BASH_SUBSHELL); true | if :; then echo $BASH_SUBSHELL; fi; (true | eval 'echo $BASH_SUBSHELL'); true | command eval 'echo $BASH_SUBSHELL'; eval 'echo $BASH_SUBSHELL' | cat; f | cat; f & wait; eval 'echo $BASH_SUBSHELL' & wait; echo $BASH_SUBSHELL & wait; { f; } & wait; cat <(f) <(echo $BASH_SUBSHELL) <(eval 'echo $BASH_SUBSHELL'); echo $(f) $(echo $BASH_SUBSHELL)
