# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
f() { echo "$# $*"; shift; echo "$@"; set -- x y; echo $1; }; f a b c; g() { local v=1; h; echo $v; }; h() { v=2; }; g; r() { [ $1 -le 0 ] && return; echo $1; r $(($1-1)); }; r 3; function k { return 7; }; k; echo $?; unset -f k; k 2>/dev/null; echo $?; z() (cd /; pwd; exit 3); z; echo $?
END_OF_SCRIPT
)
bash -c "$script" 2>&1
