(set -e; echo a; false; echo b); echo $?; (set -e; false || true; echo c; ! true; echo d; if false; then :; fi; echo e)
