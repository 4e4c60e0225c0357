cat > s.sh <<'SCRIPT'
for i in a b; do echo $i; done done
SCRIPT
bash s.sh 2>&1
echo "status $?"
