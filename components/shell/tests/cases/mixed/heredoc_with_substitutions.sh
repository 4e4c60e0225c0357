func() { cat <<EOF
$(for i in 1 2; do echo "item $i"; done)
${1:-default} \`bt\` \$x
EOF
}; func; func arg
