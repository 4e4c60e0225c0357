# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
echo a | while read x; do echo "in $x"; exit 3; done; echo $?; f() { echo q | { read z; return 4; }; echo $?; }; f; (exit 5) | cat; echo ${PIPESTATUS[@]}; yes | head -2; echo ${PIPESTATUS[@]}; { echo a; exit 2; echo b; } | cat; echo ${PIPESTATUS[0]}; seq 100000 | tail -1; echo x | cat | cat | cat; : | false | :; echo ${PIPESTATUS[*]}
END_OF_SCRIPT
)
bash -c "$script" 2>&1
