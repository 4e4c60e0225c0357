coproc cat; echo hello >&${COPROC[1]}; read x <&${COPROC[0]}; echo $x; kill $COPROC_PID 2>/dev/null; wait 2>/dev/null; echo done
