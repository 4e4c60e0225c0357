# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
a=5 b=6; { a=7; }; (a=8); echo $a; a=9 true; echo $a; a=10 :; echo $a; f() { echo $a; }; a=11 f; echo $a; a=12 eval 'echo $a'; a=$b b=$a; echo $a $b; export q=1; q=2 sh -c 'echo $q'; echo $q; IFS=: read x y <<< "1:2"; echo $x $y; PATH=/nope ls; echo $?
END_OF_SCRIPT
)
bash -c "$script" 2>&1
