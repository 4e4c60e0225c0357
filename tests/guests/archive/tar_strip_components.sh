cd "$(mktemp -d)" || exit 1
mkdir -p a/b/c; echo x > a/b/c/f; echo y > a/g; tar cf x.tar a; mkdir o; tar xf x.tar -C o --strip-components=2; find o | sort; mkdir p; tar xvf x.tar -C p --strip-components=1; find p | sort; tar xf x.tar -C p --strip=9; echo $?
