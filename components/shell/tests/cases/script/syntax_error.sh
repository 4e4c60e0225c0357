sh -c 'echo a; if; then' 2>/dev/null; echo $?; sh -c 'echo "unterminated' 2>/dev/null; echo $?; printf 'echo before\nfi\necho after\n' > s; sh s 2>/dev/null; echo $?
