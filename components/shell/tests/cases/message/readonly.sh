cat > s.sh <<'SCRIPT'
readonly r=1; r=2; echo no
SCRIPT
bash s.sh 2>&1
echo "status $?"
