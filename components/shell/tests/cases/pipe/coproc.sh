# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
coproc { while read l; do echo "re $l"; done; }; echo hi >&${COPROC[1]}; read -u ${COPROC[0]} r; echo $r; exec {COPROC[1]}>&-; wait; coproc NAME { echo x; }; read r <&${NAME[0]}; echo $r
END_OF_SCRIPT
)
bash -c "$script" 2>&1
