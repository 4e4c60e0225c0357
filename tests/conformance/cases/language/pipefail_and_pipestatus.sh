exec 2>&1
set -o pipefail; false | true; echo $?; true | (exit 3) | true; echo $? ${PIPESTATUS[@]}; ! false | true; echo $?; set +o pipefail; (exit 2) | (exit 5); echo $? "${PIPESTATUS[@]}"
