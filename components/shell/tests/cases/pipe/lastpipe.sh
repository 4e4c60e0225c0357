shopt -s lastpipe; echo hi | read x; echo "[$x]"; printf '1\n2\n' | while read n; do ((s+=n)); done; echo $s
