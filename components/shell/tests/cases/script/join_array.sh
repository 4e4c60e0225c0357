join() { local IFS=$1; shift; echo "$*"; }; join , a b c; a=(x y z); printf -v s '%s;' "${a[@]}"; echo "${s%;}"; echo "${a[*]/#/pre-}"
