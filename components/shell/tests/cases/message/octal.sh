cat > s.sh <<'SCRIPT'
echo $((08)); echo hi
SCRIPT
bash s.sh 2>&1
echo "status $?"
