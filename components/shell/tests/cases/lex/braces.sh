echo {a b}; echo a}b; {echo x; } 2>/dev/null; echo $?; { echo y;}
