# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
trap 'echo exit $?' EXIT; trap 'echo err $? $LINENO' ERR; false; (exit 3); f() { return 4; }; f; true && false; if false; then :; fi; ! true; echo done
END_OF_SCRIPT
)
bash -c "$script" 2>&1
