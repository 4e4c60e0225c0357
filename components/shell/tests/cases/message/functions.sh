cat > s.sh <<'SCRIPT'
export -f nofunc; unset -f nofunc; declare -f nofunc; declare -F nofunc; declare -p nofunc; echo $?
SCRIPT
bash s.sh 2>&1
echo "status $?"
