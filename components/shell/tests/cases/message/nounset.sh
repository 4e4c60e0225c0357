cat > s.sh <<'SCRIPT'
set -u; echo $zz
SCRIPT
bash s.sh 2>&1
echo "status $?"
