cd "$(mktemp -d)" || exit 1
mkdir -p d/e; echo one > d/a; echo two > d/e/b
tar -cf x.tar --sort=name d; tar -tf x.tar; tar -cvf y.tar --sort=name d; tar tf y.tar d/e
