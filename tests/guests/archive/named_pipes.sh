# Archives of named pipes.
cd "$(mktemp -d)" || exit 1
exec 2>&1
umask 022
mkdir d; mkfifo -m 640 d/p; mkfifo d/q; echo text > d/f; touch -d @1000000000 d/p
tar cf t.tar d; tar tvf t.tar | cut -c 1-10 | sort; tar xf t.tar --one-top-level=out && stat -c '%n %F %a %Y' out/d/p; stat -c '%F' out/d/q
tar xf t.tar -C out; echo $?; tar df t.tar -C out && echo same
rm out/d/q; echo file > out/d/q; tar df t.tar -C out; echo $?; tar xf t.tar -C out --keep-old-files 2>&1 | sort | head -n 1 | cut -d : -f 1
gzip d/p; echo $?; xz d/p; echo $?
(cat d/p | gzip -dc) & gzip -c d/f > d/p; wait
tar cf d/p d/f & tar tf d/p; wait
