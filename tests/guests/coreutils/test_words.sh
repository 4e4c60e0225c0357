# the number of words decides first, then the grammar
cd "$(mktemp -d)" || exit
t() { env test "$@"; echo "$? $*"; }
exec 2>&1
t -a '!'; t '!' '' -a ''; t x -a; t -o arg; t '!' a value -o another value; t '(' foo; t '!' foo -o bar
t '(' = = = ')'; t '(' '(' = '(' ')'; t a = b c; t '!' '!' '!' '!'; t '(' ')'; t a b; t -f; t -x y z; t a ')'; t 1 -eq
t -l abc -eq 3; t 3 -eq -l abc; t -z -a -z; t -a -a -a; t -f -o a; t '(' -f f ')'; t '!' '(' -f f ')'; t - = -; t -foo b
t a = b = c; t '(' a ')' b; t -f f ')'; t 1x -eq 1; t ' 1 ' -eq 1; t '!' 1 2 3
