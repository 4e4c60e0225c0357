cd "$(mktemp -d)" || exit 1
echo 1 > a; echo 2 > b; cp -n a b; cat b; cp -b a b; cat b b~; echo 3 > a; cp --backup=numbered a b; cat b.~1~; cp --suffix=.bak a b; ls; touch -d 2001-01-01 a; cp -u a b; cat b; cp a a; echo $?
