# A subshell that is all of another subshell counts once for ERR; of a pipeline only the last stage does.
set -E; trap 'echo ERR $BASH_SUBSHELL $?' ERR
( (false) )
( (exit 3) )
( (false); true )
( true; (false) )
(false) | cat
( (false) ) | cat
(exit 3) | cat
true | (false)
x=$( (false) ); echo "$x"
