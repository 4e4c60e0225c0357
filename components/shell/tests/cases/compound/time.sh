time true 2>/dev/null; { time echo x; } 2>/dev/null; ! time false 2>/dev/null; echo $?
