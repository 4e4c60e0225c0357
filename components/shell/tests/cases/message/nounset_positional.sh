cat > s.sh <<'SCRIPT'
set -u; echo $1
SCRIPT
bash s.sh 2>&1
echo "status $?"
