# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
kill -l | head -2; trap 'echo usr1' USR1; kill -USR1 $$; trap '' TERM; kill $$; echo alive; trap - USR1 TERM; trap -p; (trap 'echo sub' EXIT; exit 2); echo $?; trap 'echo int' INT; kill -INT $$; trap 'echo ret' RETURN; f() { :; }; f; . /dev/null; trap 'echo dbg' DEBUG; :; trap - DEBUG
END_OF_SCRIPT
)
bash -c "$script" 2>&1
