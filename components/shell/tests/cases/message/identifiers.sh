cat > s.sh <<'SCRIPT'
export 1a=2; declare 2b; export -z; read 3c <<< x; unset -q; readonly a-b=1
SCRIPT
bash s.sh 2>&1
echo "status $?"
