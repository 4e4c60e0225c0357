cat <<'EOF'
$x `no` \$ \\
EOF
cat <<"E F"
$y
E F
