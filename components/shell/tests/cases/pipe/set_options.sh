set -e; false | true; echo ok; (set +e; false; echo still)
