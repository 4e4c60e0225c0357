cat > s.sh <<'SCRIPT'
case x in
a) echo;;
SCRIPT
bash s.sh 2>&1
echo "status $?"
