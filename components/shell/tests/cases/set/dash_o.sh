set -o | grep -E 'errexit|pipefail'; set -o errexit -o pipefail; set -o | grep -E 'errexit|pipefail'; echo $-  | tr -cd e; echo; [[ -o errexit ]] && echo on
