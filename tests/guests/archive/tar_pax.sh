cd "$(mktemp -d)" || exit 1
n=$(printf 'y%.0s' {1..130}); echo 1 > $n; touch -d @1700000000.5 $n; tar cf x.tar --format=pax $n; tar tf x.tar | wc -c; mkdir o; tar xf x.tar -C o; stat -c %Y o/$n; cat o/$n; tar cf u.tar --posix "$n"; tar xOf u.tar
