exec 2>&1
getopts_test() { local OPTIND=1 opt; while getopts 'hvf:o:' opt "$@"; do case $opt in h) echo help;; v) echo verbose;; f) echo "f=$OPTARG";; o) echo "o=$OPTARG";; ?) echo "bad"; return 1;; esac; done; shift $((OPTIND - 1)); echo "args: $*"; }; getopts_test -v -f file -oout a b; getopts_test -x; getopts_test -f; getopts_test -- -v; getopts_test -hvf x; getopts_test a -v
