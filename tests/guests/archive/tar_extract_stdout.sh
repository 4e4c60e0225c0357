cd "$(mktemp -d)" || exit 1
echo one > a; echo two > b; tar cf x.tar a b; tar -xOf x.tar; tar xOf x.tar b; tar -xvOf x.tar a 2>/dev/null
