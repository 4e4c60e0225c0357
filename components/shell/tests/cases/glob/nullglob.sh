shopt -s nullglob; echo *.none end; x=(*.none); echo ${#x[@]}; shopt -u nullglob; echo *.none
