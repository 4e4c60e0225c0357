# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
f() { echo "${FUNCNAME[0]}: $1"; "${@:2}"; }; f x f y echo z; g() { local IFS=,; echo "$*"; }; g a b c; h() { local x; x=$(false) && echo ok || echo fail; local y=$(false) && echo ok2; }; h; i() { for a; do echo -n "$a;"; done; echo; }; i 1 "2 3" 4; j() { return; }; false; j; echo $?
END_OF_SCRIPT
)
bash -c "$script" 2>&1
