cd "$(mktemp -d)" || exit 1
mkdir -p a/b/c; echo 1 > a/f; echo 2 > a/b/g; ln -s f a/l; chmod +x a/f; cp -r a z; find z | sort; ls -l z/f | cut -c1-10; readlink z/l; cp -r a z; find z | sort; cp -rT a y; ls y; cp -rL a w; test -L w/l || echo followed
