cat > s.sh <<'SCRIPT'
type nosuch; command -V nosuch; hash nosuch; alias nosuch; unalias nosuch; builtin nosuch
SCRIPT
bash s.sh 2>&1
echo "status $?"
