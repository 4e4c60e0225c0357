cat > s.sh <<'SCRIPT'
echo hi >&9; echo hi <&9; exec 7>&8; x=5; echo >&x
SCRIPT
bash s.sh 2>&1
echo "status $?"
