f() { f; }; (FUNCNEST=20; f) 2>&1 | while IFS= read -r l; do echo "${l##*: line 1: }"; done; echo alive
