# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
trap 'rm -f lock; echo cleaned' EXIT INT TERM; touch lock; kill -TERM $$; echo still; ls lock 2>/dev/null
END_OF_SCRIPT
)
bash -c "$script" 2>&1
