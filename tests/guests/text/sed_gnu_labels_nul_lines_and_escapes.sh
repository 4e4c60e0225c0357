# Labels and comments, -z, escapes, brackets, --posix.
try() { sed "$@" 2>&1; echo "status $?"; }
echo a | try 'bx;s/a/b/;:x# here'
echo a | try 's/a/b/;tx# there
d;:x'
printf 'a\0b\0' | sed -z '=;i x' | od -c
printf 'a\nb\0' | sed -n -z l | od -c
printf 'a\0' | sed -n -z F | od -c
printf 'printf q' | sed 1e | od -c
echo aXbXc | sed 's/X/\cA/;s/X/\c\\/' | od -c
echo x | try 's/x/\c\d/'
echo x | sed 's/x/\c/'
echo 'a\bc' | try 'y/a\bc/123/'
echo 'a,b\' | sed 's,[\,],X,g'
echo 'a_b/c' | sed 's/[_\-\/]/X/g'
echo 'a[:b' | try 's/[[:]x/y/'
echo a | try 'p }'
echo a | try '1}'
COLS=12 sed -n l <<< 0123456789012345
COLS=1 sed -n l <<< 0123456789012345
POSIXLY_CORRECT=1 sed N <<< last
for script in 's/a/b/i' 's/a/b/e' '1F' '1,2=' 'afoo' 'l5' '0,/a/p' '2,+1p' 'T'; do echo a | try --posix "$script"; done
echo abc | try --posix 's/b/<\1>/'
printf 'p;d\r\n' | try -f /dev/stdin /dev/null
printf '/b/i\\\n' > "${TMPDIR:-/tmp}/script"; printf 'a\nb\n' | try -f "${TMPDIR:-/tmp}/script"
