cd "$(mktemp -d)" || exit 1
mkdir d; echo > d/a.c; echo > d/b.c; echo > d/c.h; tar cf x.tar --sort=name d; tar tf x.tar --wildcards '*.c'; tar tf x.tar --wildcards 'd/?.h'; tar tf x.tar '*.c' 2>&1; echo $?; tar tf x.tar --wildcards --no-wildcards-match-slash '*.c' 2>&1; echo $?
