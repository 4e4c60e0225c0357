cd "$(mktemp -d)" || exit 1
mkdir d; echo x > d/f; tar cf x.tar "$PWD/d/f" 2>&1; tar tf x.tar | sed "s,${PWD#/},DIR,"; tar cPf y.tar "$PWD/d/f"; tar tf y.tar | sed "s,$PWD,DIR,"; mkdir o; tar xf y.tar -C o 2>&1; find o -name f | sed "s,${PWD#/},DIR,"
