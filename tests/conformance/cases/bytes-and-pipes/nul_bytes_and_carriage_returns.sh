exec 2>&1
printf 'a\0b\n' | { read -r l; echo "[$l]"; }; printf 'a\0b\0' | while IFS= read -r -d '' w; do echo "<$w>"; done; x=$(printf 'a\0b'); echo "$x" ${#x}; printf 'l1\r\nl2\r\n' | while read -r l; do printf '%q\n' "$l"; done; echo -e 'a\0b' | wc -c
