cd "$(mktemp -d)" || exit 1
echo a > a; echo b > b; tar cvf x.tar a b; tar tvf x.tar | wc -l; tar xvf x.tar b; tar cfz y.tgz a; tar tzf y.tgz
