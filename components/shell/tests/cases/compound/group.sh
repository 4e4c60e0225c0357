{ echo a; echo b; }; { x=5; }; echo $x; { false; }; echo $?
