exec 2>&1
while getopts ab: o -x -b; do echo "$o $OPTARG"; done; echo $OPTIND; OPTIND=1; while getopts ab: o -ab1 -a arg -b; do echo "$o $OPTARG $OPTIND"; done
