cat > s.sh <<'SCRIPT'
getopts; getopts ab; set -- -x; getopts ab o; getopts a: o; set -- -a; OPTIND=1; getopts a: o
SCRIPT
bash s.sh 2>&1
echo "status $?"
