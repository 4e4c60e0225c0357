cat > s.sh <<'SCRIPT'
echo a &&
SCRIPT
bash s.sh 2>&1
echo "status $?"
