# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
set -o pipefail; false | true; echo $?; true | false | true; echo $? ${PIPESTATUS[@]}; set +o pipefail; false | true; echo $?
END_OF_SCRIPT
)
bash -c "$script" 2>&1
