cat > s.sh <<'SCRIPT'
readonly r=1; unset r; r=3 echo hi; export r=4; declare r=5; local q
SCRIPT
bash s.sh 2>&1
echo "status $?"
