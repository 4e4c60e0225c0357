# A file that is sourced does not inherit DEBUG without functrace; a trap that it sets stays.
trap 'echo DEBUG $BASH_COMMAND' DEBUG
. /dev/stdin <<< 'echo a; trap -p DEBUG'
. /dev/stdin <<< 'trap "echo NEW \$BASH_COMMAND" DEBUG; echo b'
echo c
. /dev/stdin <<< 'trap - DEBUG; echo d'
set -T; . /dev/stdin <<< 'echo e'
