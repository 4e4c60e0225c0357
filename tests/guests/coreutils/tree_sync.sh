cd "$(mktemp -d)" || exit 1
mkdir -p src/a/b; echo 1 > src/f; echo 2 > src/a/g; chmod 700 src/a; cp -a src dst; (cd src; find . -printf '%p %m\n' | sort) > 1; (cd dst; find . -printf '%p %m\n' | sort) > 2; cat 1; cat 2; (cd src; find . -type f -exec md5sum {} + | sort) > sums; (cd dst; md5sum -c ../sums); rm -r src/a; mv dst/a src; find src | sort
