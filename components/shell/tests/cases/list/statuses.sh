# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
true && false || echo a; false && echo b || echo c; ! true || echo d; true; echo $?; false; echo $?; (exit 42); echo $?; { exit 3; } & wait $!; echo $?; true | false; echo $?; ! false | true; echo $?; :; false & wait; echo $?; echo $(exit 9)$?; x=$(exit 5)$?; echo $x $?
END_OF_SCRIPT
)
bash -c "$script" 2>&1
