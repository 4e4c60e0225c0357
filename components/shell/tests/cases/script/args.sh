cat > s.sh <<'EOF'
echo "$0 $# $1 $2 $@"
EOF
sh s.sh a "b c"; sh -c 'echo $0 $1' name arg; echo 'echo stdin $1' | sh -s arg
