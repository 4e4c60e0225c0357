touch a1 a2; (echo x > a*) 2>&1 | while IFS= read -r l; do echo "${l##*line 1: }"; done
