local x 2>/dev/null; echo $?; f() { local a=1 b=$a; echo $b; local; }; f | head -1; return 2>/dev/null; echo $?; break 2>/dev/null; echo $?
