[ a -eq 1 ] 2>/dev/null; echo $?; [ 1 -eq 1 2>/dev/null; echo $?; [ a b ] 2>/dev/null; echo $?; { [ x -eq 1 ]; } 2>&1 | while IFS= read -r l; do echo "${l##*line 1: }"; done
