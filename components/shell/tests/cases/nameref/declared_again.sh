# A local reference that is declared again stands for its target.
f() { local -n r=x; local r; declare -p r x; r=5; echo "$x"; }; x=0; f; echo $x
f() { local -n r=x; declare r; r=5; }; x=0; f; echo $x
f() { local -n r=x; local -i r; r=2+3; declare -p x; }; x=0; f; echo $x
f() { local -n r=x; local r=3; declare -p x r; }; x=0; f; echo $x
f() { local -n r=x; local -a r; declare -p x r; }; x=0; f; echo $x
declare -n g=x; f() { local g; declare -p g 2>/dev/null; g=5; }; x=0; f; echo $x; unset -n g
f() { local -n r=x[1]; local r; declare -p r x; }; x=(0 1); f; declare -p x; unset x
f() { local -n r=x; local -n r=y; r=1; declare -p x y r; }; x=0 y=0; f
f() { local -n r=x; h; }; h() { local r; r=inner; declare -p r; }; x=0; f; echo $x
