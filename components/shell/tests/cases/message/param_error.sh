cat > s.sh <<'SCRIPT'
x=; ${x:?}; echo no
SCRIPT
bash s.sh 2>&1
echo "status $?"
