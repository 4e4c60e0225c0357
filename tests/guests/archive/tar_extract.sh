cd "$(mktemp -d)" || exit 1
mkdir -p s/t; echo 1 > s/a; echo 2 > s/t/b; chmod 600 s/a; chmod 755 s/t/b; touch -d @1600000000 s/a
tar cf x.tar s; mkdir o; tar xf x.tar -C o; stat -c '%a %Y' o/s/a; stat -c %a o/s/t/b; tar xvf x.tar -C o s/a; cat o/s/t/b
