(set -u; echo "${x-ok}"; echo "$y"; echo no) 2>&1 | while IFS= read -r l; do echo "${l##*: line }"; done; echo done
