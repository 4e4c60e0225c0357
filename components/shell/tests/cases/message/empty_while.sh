cat > s.sh <<'SCRIPT'
while; do echo; done
SCRIPT
bash s.sh 2>&1
echo "status $?"
