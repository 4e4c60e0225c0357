cd "$(mktemp -d)" || exit 1
mkdir -p a/b; echo x > a/f; cd a/b; tar cf ../x.tar ../f 2>&1; tar tf ../x.tar; tar cPf ../y.tar ../f; tar tf ../y.tar; mkdir o; tar xf ../y.tar -C o 2>&1; echo $?; ls o
