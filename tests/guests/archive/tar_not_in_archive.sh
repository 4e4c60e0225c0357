cd "$(mktemp -d)" || exit 1
echo a > a; tar cf x.tar a; tar tf x.tar b 2>&1; echo $?; tar xf x.tar a c 2>&1; echo $?
