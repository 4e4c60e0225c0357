alias x='echo aliased'; x 2>/dev/null; echo $?
