# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
exec 2>&1; set -x; echo a "b c"; x=1; [ $x = 1 ]; [[ $x == 1 ]]; ((x++)); for i in 1; do :; done; f() { echo in; }; f; y=$(echo sub); PS4='>> '; echo z; set +x
END_OF_SCRIPT
)
bash -c "$script" 2>&1
