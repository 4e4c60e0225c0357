cat > s.sh <<'SCRIPT'
test 1 -eq; [ 1 2 3 ]; [ a -eq b ]; [ ; test -q x; [ 1 = 1 = 1 ]
SCRIPT
bash s.sh 2>&1
echo "status $?"
