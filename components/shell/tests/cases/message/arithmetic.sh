cat > s.sh <<'SCRIPT'
let; let 1/0; ((1/0)); ((1+)); echo $((a b)); echo after
SCRIPT
bash s.sh 2>&1
echo "status $?"
