(trap 'exit 9' EXIT; exit 1); echo $?; (trap 'echo $?; true' EXIT; exit 5); echo $?; (set -e; trap 'echo e:$?' EXIT; false); echo $?
