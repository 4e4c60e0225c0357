cat > s.sh <<'SCRIPT'
echo $((2#3)); echo hi
SCRIPT
bash s.sh 2>&1
echo "status $?"
