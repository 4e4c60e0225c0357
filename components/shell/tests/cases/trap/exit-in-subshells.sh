# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
trap 'echo bye' EXIT; (trap - EXIT; echo sub); (echo sub2); x=$(echo in); echo $x; { echo grp; }; f() { trap 'echo fexit' EXIT; }; f; exit 3
END_OF_SCRIPT
)
bash -c "$script" 2>&1
