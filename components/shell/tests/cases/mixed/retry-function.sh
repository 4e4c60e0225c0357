# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
retry() { local n=0 max=3; until "$@"; do ((++n >= max)) && { echo "failed after $n" >&2; return 1; }; echo "retry $n"; done; }; c=0; flaky() { ((++c >= 2)); }; retry flaky; echo $? $c; retry false; echo $?
END_OF_SCRIPT
)
bash -c "$script" 2>&1
