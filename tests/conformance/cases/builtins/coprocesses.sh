exec 2>&1
coproc cat; echo hi >&${COPROC[1]}; read -u ${COPROC[0]} l; echo $l; eval "exec ${COPROC[1]}>&-"; wait; echo $?; coproc N { read x; echo got $x; }; echo v >&${N[1]}; read y <&${N[0]}; echo $y
