shopt -s lastpipe; seq 3 | mapfile -t A; echo ${#A[@]}; x=0; seq 3 | while read n; do ((x+=n)); done; echo $x
