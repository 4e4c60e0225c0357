exec 2>&1
set -e; true | false | true; echo a; set -o pipefail; true | true; ! true; echo b; false | true || echo c; set +e; false | true; echo $?; set -e; false | true; echo no
