# Operators of indirect parameters: `=` only for names, `@A` also of positional ones.
t() { (eval "$1") 2>&1 | sed "s/^.*: line [0-9]*: //"; }
t 'p="m[z]"; declare -A m; echo ${!p-d}; echo ${!p:=new}; echo no'
t 'p=x; echo ${!p:=new} $x'
t 'set -- q; q=7; echo ${!1} ${!1@A} ${!1@Q}; declare -i q; echo ${!1@a}'
t 'a=(x "y z"); p="a[@]"; printf "<%s>" "${!p@Q}" "${!p/z/q}" "${!p:1}" "${!p@A}" "${!p@k}"; echo'
