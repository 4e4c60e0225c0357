cat > s.sh <<'SCRIPT'
exit abc
SCRIPT
bash s.sh 2>&1
echo "status $?"
