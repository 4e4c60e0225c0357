cd "$(mktemp -d)" || exit 1
echo hello | tr a-z A-Z; echo hello | tr -d l; echo aabbcc | tr -s a-c; echo 'a b' | tr ' ' '\n'; echo abc | tr -c 'a\n' x; echo 'a1b2' | tr -cd '0-9\n'; echo 'Hello World' | tr '[:upper:]' '[:lower:]'; printf 'a\0b' | tr '\0' '\n'; echo; echo abc | tr abc xy; tr a 2>/dev/null; echo $?; echo "a  b" | tr -s ' ' _
