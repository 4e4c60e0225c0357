echo "tab	x" | cut -f2; echo $'a\tb' | tr '\t' ' '; echo -e "l1\nl2" | wc -l; echo 'back\slash'; echo "a\\b\$c\`d\`"
