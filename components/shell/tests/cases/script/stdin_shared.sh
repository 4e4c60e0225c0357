printf 'read x\ndata line\necho "got $x"\n' | sh; sh <<'EOF'
cat | tr a-z A-Z
the rest is data
EOF
