(echo $((1/0))) 2>&1 | while IFS= read -r l; do echo "${l#*: line 1: }"; done; (echo $((1+))) 2>&1 | while IFS= read -r l; do echo "${l#*: line 1: }"; done
