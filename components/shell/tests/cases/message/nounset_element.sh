cat > s.sh <<'SCRIPT'
set -u; echo ${a[3]}
SCRIPT
bash s.sh 2>&1
echo "status $?"
