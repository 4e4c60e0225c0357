# getopt: order, quoting, long options, errors, the traditional form, other shells
t() { getopt "$@" 2>&1; echo "-> $?"; }
t -o ab:c:: --long alpha,beta:,gamma:: -n prog -- -a -b x --be y -c --gamma=z 'a b' "it's"
t -o ab:c:: -l alpha,beta:,gamma:: -n prog -- -cfoo --gamma --alpha=1 --beta
t -o ab: -- -z; t -o ab: -- -b; t ab: -a -b c d "e f"; t -T; t -o a; t -u -o ab: -- -b 'x y' z; t -- ab: -a
t -o +ab -- -a x -b; t -o -ab -- -a x -b y; POSIXLY_CORRECT=1 t -o ab -- -a x -b
t -q -o a -- -z -a; t -Q -o a -- -a x; t -Q -o a -- -z; t -o ':a:' -- -z -a
t -a -o a -l foo,bar: -- -foo -bar x -a; t -a -o a -l foo -- -fo -zzz
t -o a -l ga,gb: -- --g x; t -o a -l ga,gab -- --ga; t -l 'x y:,z' -o '' -- --y 1 --z; t -o 'W;a' -l foo -- -W foo
t -s csh -o a -- "it's" 'a!b' 'c\d' 'e
f' ' '; t -s bash -o a -- 'a!b\'; t -n '' -o a -- -z; t -o a -- x -- -a; t -o a -- - -a; t -o a: -- -a ''
GETOPT_COMPATIBLE=1 t ab -a x; t; t -l x; t -s zsh -o a -- x
# the usual script
parsed=$(getopt -o vf: --long verbose,file: -n script -- -v 'one two' --file "my file" three) || exit 1
eval set -- "$parsed"
while true; do case $1 in -v | --verbose) echo verbose; shift ;; -f | --file) echo "file <$2>"; shift 2 ;; --) shift; break ;; esac; done
printf '<%s>' "$@"; echo
