cat > lib.sh <<'EOF'
greet() { echo "hello $1"; }
VAR=lib
EOF
source lib.sh 2>/dev/null || source ./lib.sh; greet bob; echo $VAR
