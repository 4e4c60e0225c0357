cd "$(mktemp -d)" || exit 1
mkdir -p p/target p/src; echo > p/src/a.c; echo > p/src/a.o; echo > p/target/x; echo > p/b.o
tar cf x.tar --exclude='*.o' --exclude=target p; tar tf x.tar | sort; tar cf y.tar --exclude='p/b.o' p; tar tf y.tar | sort; tar cf z.tar --anchored --exclude=src p; tar tf z.tar | sort; tar tf z.tar --exclude='*.c' | sort
