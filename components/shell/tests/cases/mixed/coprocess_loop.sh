coproc { while read l; do echo "got $l"; done; }; echo hi >&"${COPROC[1]}"; read r <&"${COPROC[0]}"; echo $r; eval "exec ${COPROC[1]}>&-"; wait $COPROC_PID; echo $?
