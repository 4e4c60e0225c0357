cat > s.sh <<'SCRIPT'
if true; then echo x; else fi
SCRIPT
bash s.sh 2>&1
echo "status $?"
