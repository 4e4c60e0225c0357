true | false; echo $?; false | true; echo $?; set -o pipefail; false | true; echo $?; true | true; echo $?
