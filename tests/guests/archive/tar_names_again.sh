export LC_ALL=C TZ=UTC0
cd "$(mktemp -d)" || exit 1
t() { echo "== tar $*"; tar "$@" 2>&1; echo "[$?]"; }
mkdir d; echo x > d/f; ln -s f d/l; touch -d @0 d/f d; touch -h -d @0 d/l
echo '# a file twice is a link to itself, and comes out so'
t cf a.tar --sort=name d d; t tvf a.tar | sed 's/^\(.\).* d/\1 d/'; mkdir o; t xf a.tar -C o; ls -R o; t xf a.tar -C o; cat o/d/f; t chf b.tar --sort=name d; t tvf b.tar | sed 's/^\(.\).* d/\1 d/'
echo '# one folder for all'
mkdir top; : > top/x; : > y; t cf top.tar top y; mkdir in; cd in; t xvf ../top.tar --one-top-level --show-transformed; find . | sort; t tf ../top.tar --one-top-level=z --show-transformed-names; cd ..
echo '# TAR_OPTIONS, lists with NUL'
echo d/f > no; TAR_OPTIONS='--exclude-from=no -v' t cf c.tar d; printf 'd/f\0y\0' > list; t cf e.tar -T list; t tf e.tar
echo '# times at most, folders with a tag'
touch -d @100 d/f; touch -d @900 y; t cf m.tar --mtime=@500 --clamp-mtime d/f y; t tvf m.tar | sed 's/.* \(1970.*\)/\1/'
mkdir -p g/h g/k; : > g/h/skip; : > g/h/z; printf 'Signature: 8a477f597d28d172789f06886806bc55\n' > g/k/CACHEDIR.TAG; : > g/k/z
for o in --exclude-caches --exclude-caches-under --exclude-caches-all --exclude-tag=skip --exclude-tag-under=skip --exclude-tag-all=skip; do t cvf n.tar --sort=name $o g; done
echo '# prefixes that are cut off'
mkdir p; cd p; t cf ../q.tar ../p/../y ./../top/x 2>&1; t tf ../q.tar
