cat > s.sh <<'SCRIPT'
} echo
SCRIPT
bash s.sh 2>&1
echo "status $?"
