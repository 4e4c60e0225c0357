cat > s.sh <<'SCRIPT'
echo a
if x; then
  echo b
esac
SCRIPT
bash s.sh 2>&1
echo "status $?"
