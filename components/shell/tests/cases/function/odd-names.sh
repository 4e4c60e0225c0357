# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
function a-b { echo dash; }; a-b; a.b() { echo dot; }; a.b; :x() { :; }; type a-b | head -1; f() if true; then echo iff; fi; f; g() for i in 1 2; do echo $i; done; g; h() { echo h; } >out; h; cat out; f2() { return $1; }; f2 300; echo $?; f2 -1; echo $?; unset -f f2; f2; declare -F | head -3
END_OF_SCRIPT
)
bash -c "$script" 2>&1
