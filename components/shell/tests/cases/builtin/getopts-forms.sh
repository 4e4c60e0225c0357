# The expected output is bash's, including error messages.
script=$(cat <<'END_OF_SCRIPT'
while getopts "ab:c" o -a -b val -c rest; do echo "$o $OPTARG $OPTIND"; done; echo $OPTIND; OPTIND=1; while getopts ":x:" o -x -y; do echo "$o $OPTARG"; done; OPTIND=1; getopts "a" o -z; echo "$o" $?
END_OF_SCRIPT
)
bash -c "$script" 2>&1
