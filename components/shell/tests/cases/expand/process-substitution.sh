# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
comm <(echo a) <(echo b); cat <(echo 1) <(echo 2); tee >(cat >t1) <<< z >/dev/null; sleep 0.2; cat t1; while read l; do echo "l $l"; done < <(printf '1\n2\n'); paste <(seq 3) <(seq 4 6)
END_OF_SCRIPT
)
bash -c "$script" 2>&1
