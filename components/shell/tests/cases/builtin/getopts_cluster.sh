set -- -abc -d arg -- -x; while getopts abcd: o; do echo $o ${OPTARG-}; done; shift $((OPTIND-1)); echo "$@"
