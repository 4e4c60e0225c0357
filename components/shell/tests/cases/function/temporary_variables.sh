# An assignment before the call of a function: locals of its name begin with its value, export keeps it, unset uncovers the outer variable.
x=G
f() { local x; echo "${x-u}"; }; x=1 eval f
f() { local x; g; }; g() { local x; echo "${x-u}"; h; }; h() { local x; echo "${x-u}"; }; x=1 f
f() { local x; echo "${x-u}"; x=2; }; g() { f; echo "$x"; }; x=1 g; echo $x
f() { x=2; local x; echo $x; }; x=1 f; echo $x
f() { local -i x; declare -p x; }; x=1 f
f() { export x; g; }; g() { local x; echo "${x-u}"; }; x=1 f; echo $x; export -n x
x=G; f() { export x; x=5; }; x=1 f; echo $x; export -n x
x=G; f() { export x; unset x; echo ${x-u}; }; x=1 f; declare -p x; export -n x
x=G; f() { export x; declare -g x=3; echo $x; }; x=1 f; declare -p x; export -n x
x=G; f() { export x; local x=2; }; x=1 f; declare -p x; export -n x
x=G; x=1 export x; declare -p x; export -n x
x=G; x=1 declare -x x; declare -p x; export -n x
x=G; x=1 eval 'export x'; declare -p x
x=G; x=1 eval 'export x; unset x; echo ${x-u}'; declare -p x
x=G; f() { x=2; unset x; declare -p x; x=3; }; x=1 f; declare -p x
x=G; f() { export x; g; }; g() { unset x; echo $x; local x=l; }; x=1 f; echo $x
