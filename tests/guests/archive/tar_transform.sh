cd "$(mktemp -d)" || exit 1
mkdir d; echo x > d/f; tar cf x.tar --transform 's,^d,e,' d; tar tf x.tar; tar cf y.tar --xform='s/f$/g/' --show-transformed-names -v d; mkdir o; tar xf x.tar -C o --transform='s,.*/,,'; ls o; tar cf z.tar --transform='s,^,pre/,' d/f; tar tf z.tar
