cat > s.sh <<'SCRIPT'
shift -1; shift a; set -Z; set -o nope; shopt -s nope; break; continue; return
SCRIPT
bash s.sh 2>&1
echo "status $?"
