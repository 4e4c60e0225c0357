cat > s.sh <<'SCRIPT'
echo ${!nope}; echo ${!}; x='a b'; echo ${!x}; echo next
SCRIPT
bash s.sh 2>&1
echo "status $?"
