cat > s.sh <<'SCRIPT'
f() { return abc; }; f; echo $?
SCRIPT
bash s.sh 2>&1
echo "status $?"
