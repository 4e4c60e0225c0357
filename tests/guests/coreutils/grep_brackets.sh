cd "$(mktemp -d)" || exit 1
printf 'a1\nB2\n-x\n]y\n[z\n \t\nq\\w\n^r\n' > f; g() { echo "-- $1"; grep -n -e "$1" f; }; g '[0-9]'; g '[[:upper:]]'; g '[]]'; g '[[]'; g '[-]'; g '[^]a-zA-Z0-9]'; g '[\]'; g '[^^]r'; g '[r^]r'; g '^[[:space:]]*$'; g '[[:alpha:]][[:digit:]]'; g '[a-]x'
