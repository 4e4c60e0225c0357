# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
wait; jobs; (sleep 0.1; echo bg1) & (echo bg2) & wait; echo all; pids=(); for i in 1 2 3; do (exit $i) & pids+=($!); done; for p in "${pids[@]}"; do wait $p; echo $?; done; { sleep 0.05; echo late; } & echo first; wait $!; exec 3< <(echo ps); read -u3 l; echo $l; x=$(echo a & wait); echo $x
END_OF_SCRIPT
)
bash -c "$script" 2>&1
