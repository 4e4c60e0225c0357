exec 2>&1
f() { local OPTIND o; while getopts ":ab:c" o "$@"; do case $o in a) echo A;; b) echo "B=$OPTARG";; :) echo "missing $OPTARG";; \?) echo "bad $OPTARG";; *) echo $o;; esac; done; shift $((OPTIND-1)); echo "rest $*"; }; f -a -b x -c r1 r2; f -b; f -z; f -ab y -- -q; f -abz
