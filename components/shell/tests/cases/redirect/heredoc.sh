x=5; cat <<EOF
val $x $((x+1)) $(echo sub) \$x \\ "q" 'q'
  indented `echo bt`
EOF
