cd "$(mktemp -d)" || exit 1
echo a > a; echo b > b; tar cf 1.tar a; tar cf 2.tar b; cat 1.tar 2.tar > 3.tar; tar tf 3.tar; tar tif 3.tar
