cd "$(mktemp -d)" || exit 1
n=$(printf 'x%.0s' {1..120}); mkdir $n; echo y > $n/$n; chmod 755 $n; chmod 644 $n/$n; ln -s $n/$n $n/l
tar -cf x.tar --sort=name --owner=0 --group=0 --numeric-owner --mtime=@1700000000 $n; tar tf x.tar | wc -c; mkdir o; tar xf x.tar -C o; diff -r $n o/$n && echo same; readlink o/$n/l | wc -c
tar -cf y.tar --format=ustar --sort=name --owner=0 --group=0 --numeric-owner --mtime=@1700000000 $n/$n; echo $?
