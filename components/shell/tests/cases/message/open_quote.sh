cat > s.sh <<'SCRIPT'
echo "a
b
SCRIPT
bash s.sh 2>&1
echo "status $?"
