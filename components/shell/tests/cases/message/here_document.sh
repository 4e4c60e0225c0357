cat > s.sh <<'SCRIPT'
cat <<EOF
no end
SCRIPT
bash s.sh 2>&1
echo "status $?"
