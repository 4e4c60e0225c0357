# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
echo $(( 9223372036854775807 + 1 )) $(( -9223372036854775808 / -1 )) $((2**63)) $((2**64)) $((1<<64)) $((1<<-1)); echo $((99999999999999999999)); printf '%d\n' 9223372036854775808
END_OF_SCRIPT
)
bash -c "$script" 2>&1
