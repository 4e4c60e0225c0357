# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
select x in a b c; do echo "got $x $REPLY"; break; done <<< 2
END_OF_SCRIPT
)
bash -c "$script" 2>&1
