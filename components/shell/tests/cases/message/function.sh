cat > s.sh <<'SCRIPT'
function f; echo
SCRIPT
bash s.sh 2>&1
echo "status $?"
