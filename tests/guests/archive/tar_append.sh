cd "$(mktemp -d)" || exit 1
echo a > a; echo b > b; tar cf x.tar a; tar rf x.tar b; tar tf x.tar; tar xOf x.tar; tar rf new.tar b; tar tf new.tar; tar czf z.tgz a; tar rzf z.tgz b 2>&1; echo $?
