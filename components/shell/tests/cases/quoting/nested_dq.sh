x="a b"; echo "${x:-"c d"}" "$(echo "$x" "$(echo "in  ner")")"
