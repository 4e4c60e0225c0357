# Scopes: exported assignments before a command stay; locals over locals.
f() { export foo=abc; }; foo=x f; echo $foo
foo2="" export foo2; declare -p foo2
FOO='$$' declare -x FOO; declare -p FOO; FOO3=4 readonly FOO3; declare -p FOO3
g() { var=value declare -x var; declare -p var; }; var=one; g; declare -p var
f1() { local -r x=0; f2; echo "$x"; }; f2() { local x=1; echo $x; x=3; echo $x; }; f1
f3() { local x=7; local x=(one two); declare -p x; }; f3
f4() { z=y typeset z; echo "$z"; }; z=42 f4
# After a function with its own OPTIND, `getopts` continues where it was.
opts() {
    local OPTIND=1 opt
    while getopts ":abcxyz" opt; do
        echo "opt $opt"
        [[ $opt = y ]] && opts -abc
    done
}
opts -xyz
two() { local OPTIND o; while getopts "n:v" o "$@"; do echo "$1 $o ${OPTARG-}"; [ "$o" = v ] && two -n 5 -n 6; done; }
two -v -n 7 -v
# A read-only OPTARG does not stop it.
( set -- -a b; readonly OPTARG; getopts :x x; echo "$? $x"; getopts x x; echo "$? $x" ) 2>/dev/null
# Standard input of background commands in a stage.
echo x1 | ( cat & wait ); echo x2 | { cat & wait; }; echo x3 | for i in 1; do cat & wait; done
h() { cat & wait; }; echo x4 | h
( cat & wait ) <<< x5
echo x6 | while read -r l; do echo "$l"; cat & wait; done
{ cat & wait; } <<< lost
(set -o posix; set -e; z=$(false; echo goes on); echo "$z"); echo $?
command -p sh -c 'echo $0'; command -p no-such-program 2>/dev/null; echo $?
(unset PATH; command -p cat /dev/null; echo $?)
printf 'l1\nl2\n' > file
while :; do cat & wait; break; done < file; if :; then h; fi < file
while read -r l; do cat & wait; done < file; { cat & wait; } < file; { cat & wait; }; ( { cat & wait; } ) < file
