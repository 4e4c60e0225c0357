shopt -s failglob; (echo *.none) 2>/dev/null; echo $?
