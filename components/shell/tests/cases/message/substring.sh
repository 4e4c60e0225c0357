cat > s.sh <<'SCRIPT'
echo ${x:1:-5}; x=abc; echo ${x:1:-5}; echo next
SCRIPT
bash s.sh 2>&1
echo "status $?"
