cd "$(mktemp -d)" || exit 1
echo a > a; touch -d @1600000000 a; tar cf x.tar a; tar uf x.tar a; tar tf x.tar; touch -d @1700000000 a; echo b > b; tar uvf x.tar a b; tar tf x.tar
