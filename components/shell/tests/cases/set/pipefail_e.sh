(set -eo pipefail; false | true; echo no); echo $?; (set -euo pipefail; echo ok | cat; x=${y:-d}; echo $x)
