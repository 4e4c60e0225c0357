cat > s.sh <<'SCRIPT'
f() {
echo
SCRIPT
bash s.sh 2>&1
echo "status $?"
