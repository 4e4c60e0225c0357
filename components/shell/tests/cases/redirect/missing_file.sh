cat < nope 2>/dev/null; echo $?; { cat < nope; } 2>&1 | while IFS= read -r l; do echo "${l##*: line 1: }"; done
