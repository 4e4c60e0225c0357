shopt -s nullglob; shopt nullglob; shopt -q nullglob; echo $?; shopt -u nullglob; shopt -q nullglob; echo $?; shopt -p extglob; shopt nosuch 2>/dev/null; echo $?
